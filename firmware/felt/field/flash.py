"""The file system behind the program: configuration and history lie there, never code."""

import os


def mount():
    """Mount it; without one the table is closed and says so."""
    import _rp2
    import vfs

    try:
        vfs.mount(vfs.VfsLfs2(_rp2.Flash(), progsize=256), "/")
    except OSError:
        pass


def files():
    """True when there is a file system to read; without one its blocks have no size."""
    return os.statvfs("/")[0] > 0


def format():
    """Make a file system where none is; only people ask for this."""
    import _rp2
    import vfs

    vfs.VfsLfs2.mkfs(_rp2.Flash(), progsize=256)
    mount()
