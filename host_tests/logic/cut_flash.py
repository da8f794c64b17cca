"""Flash for tests: on MicroPython a real littlefs on a RAM block device that can lose power in any
program or erase; on CPython, which has no littlefs, a temporary folder without cuts."""

try:
    import vfs
except ImportError:
    vfs = None

BLOCK = 1024
PROGRAM = 128
FOLDER = "/cutflash"
DEAD = -5  # EIO; an exception here would tear through the file system's own code


class Blocks:
    """NOR flash: erase to ones, program clears bits; power ends after `left` bytes."""

    def __init__(self, data=None, count=24):
        self.data = data or [bytearray(BLOCK) for _ in range(count)]  # small, for a board's heap
        self.left = None
        self.used = 0

    def after_restart(self):
        """The same flash for the next life; files this life left open can reach it no more."""
        self.left = 0
        return Blocks(self.data)

    def _power(self, n):
        """How many of n bytes still get done; the rest of the world fails from there."""
        if self.left is None:
            self.used += n
            return n
        done = min(n, self.left)
        self.left -= done
        return done

    def readblocks(self, block, buf, offset=0):
        if self.left == 0:
            return DEAD
        for at in range(0, len(buf), BLOCK):
            part = memoryview(buf)[at : at + BLOCK]
            part[:] = memoryview(self.data[block + at // BLOCK])[offset : offset + len(part)]
        return 0

    def writeblocks(self, block, buf, offset=0):
        done = self._power(len(buf))
        for i in range(done):
            at = offset + i
            self.data[block + at // BLOCK][at % BLOCK] &= buf[i]
        return DEAD if self.left == 0 else 0

    def ioctl(self, op, arg):
        if op == 4:
            return len(self.data)
        if op == 5:
            return BLOCK
        if op == 6:
            done = self._power(PROGRAM) * BLOCK // PROGRAM  # an erase counts as one program
            self.data[arg][:done] = b"\xff" * done
            if self.left == 0:
                return DEAD
            return 0
        return 0


def mount(blocks):
    vfs.mount(vfs.VfsLfs2(blocks, progsize=PROGRAM), FOLDER)


def unmount():
    try:
        vfs.umount(FOLDER)
    except OSError:
        pass


def with_flash(body):
    """Run body(folder) on an empty file system."""
    if vfs:
        blocks = Blocks()
        vfs.VfsLfs2.mkfs(blocks, progsize=PROGRAM)
        mount(blocks)
        try:
            body(FOLDER)
        finally:
            unmount()
        return
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        body(folder)


def cuts_of(prepare, change, after, step=1):
    """Cut change(folder) after every `step`-th byte put on flash; after(folder) runs next."""
    if not vfs:
        return _without_cuts(prepare, change, after)
    blocks = Blocks()
    vfs.VfsLfs2.mkfs(blocks, progsize=PROGRAM)
    mount(blocks)
    prepare(FOLDER)
    unmount()
    image = [bytes(block) for block in blocks.data]
    mount(blocks)
    blocks.used = 0
    change(FOLDER)
    unmount()
    total = blocks.used
    for left in range(1, total + 1, step):
        blocks = _one_cut(blocks, image, left, change, after)
    return total


def _one_cut(blocks, image, left, change, after):
    blocks = blocks.after_restart()
    for block, kept in zip(blocks.data, image):
        block[:] = kept
    mount(blocks)
    blocks.left = left
    try:
        change(FOLDER)
    except OSError:
        pass
    unmount()
    blocks = blocks.after_restart()
    mount(blocks)
    try:
        after(FOLDER)
    finally:
        unmount()
    return blocks


def _without_cuts(prepare, change, after):
    def body(folder):
        prepare(folder)
        change(folder)
        after(folder)

    with_flash(body)
    return 1
