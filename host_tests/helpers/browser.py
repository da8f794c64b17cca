"""Debian's Chromium for tests, a page of the touch terminal in it, what may be wrong with that."""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import Any, AsyncIterator

import pytest

# The first there is. The shell has no window to paint: a page costs a third less.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
NEEDED = pytest.mark.skipif(
    not CHROMIUM, reason="no chromium: apt-get install chromium, or CHROMIUM="
)
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
SIZES = ((1024, 600), (1366, 768))
PATIENCE_MS = 120_000
FINGER_PX = 40  # a button smaller than that is hard to hit

# Words that do not fit, buttons that lie over each other, outside or too small for a finger.
LOOK = """(finger) => {
  const root = document.querySelector('.touch');
  const all = root.getBoundingClientRect();
  const out = [];
  for (const node of root.querySelectorAll('p, .prompt, .books, .title, .key, .foot')) {
    if (node.scrollWidth > node.clientWidth + 1) out.push(`cut: ${node.textContent}`);
  }
  for (const box of root.querySelectorAll('.seat, .felt, .choices')) {
    if (box.scrollHeight > box.clientHeight + 1) out.push(`no room: ${box.className} ${box.textContent}`);
  }
  const keys = [...root.querySelectorAll('button')].filter((node) => node.offsetParent && getComputedStyle(node).visibility === 'visible');
  const rects = keys.map((node) => node.getBoundingClientRect());
  rects.forEach((a, i) => {
    if (a.width < finger || a.height < finger) out.push(`small: ${keys[i].textContent} ${a.width}x${a.height}`);
    if (a.left < all.left - 1 || a.right > all.right + 1 || a.top < all.top - 1 || a.bottom > all.bottom + 1) out.push(`outside: ${keys[i].textContent}`);
    rects.slice(i + 1).forEach((b, j) => {
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) out.push(`covered: ${keys[i].textContent} / ${keys[i + 1 + j].textContent}`);
    });
  });
  const golden = root.querySelectorAll('.sg').length;
  if (golden > 1) out.push(`${golden} golden buttons`);
  return out;
}"""  # noqa: E501


@contextlib.asynccontextmanager
async def opened(url: str) -> AsyncIterator[Any]:
    """A page at an address, in a browser of its own."""
    from playwright.async_api import async_playwright

    async with async_playwright() as p:
        chromium = await p.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = await chromium.new_page(viewport={"width": SIZES[0][0], "height": SIZES[0][1]})
        page.set_default_timeout(PATIENCE_MS)
        await page.goto(url)
        await page.wait_for_selector(".touch header")
        yield page
        await chromium.close()


async def problems(page: Any) -> list[str]:
    """What is wrong with the picture now; nothing, it is hoped."""
    return list(await page.evaluate(LOOK, FINGER_PX))
