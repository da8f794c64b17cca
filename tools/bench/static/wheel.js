// The wheel display: RGB565 rows as they went over SPI, nothing added.
import { onPixels, state, watch } from './net.js';

// Every RGB565 as a pixel of a canvas.
const COLOURS = new Uint32Array(65536);
const parts = new Uint8ClampedArray(COLOURS.buffer);
COLOURS.forEach((_, pixel) => {
  parts.set([((pixel >> 11) * 255) / 31, (((pixel >> 5) & 63) * 255) / 63, ((pixel & 31) * 255) / 31, 255], pixel * 4);
});

export function startWheel() {
  const canvas = document.getElementById('wheel');
  const context = canvas.getContext('2d');
  let image = null;
  const resize = () => {
    const [width, height] = state.display?.size || [canvas.width, canvas.height];
    if (image && image.width === width && image.height === height) return;
    canvas.width = width;
    canvas.height = height;
    canvas.closest('.pair')?.classList.toggle('large', width > height);
    image = context.createImageData(width, height);
    image.data.fill(255);
  };
  onPixels((bytes) => {
    resize();
    const first = (bytes[0] << 8) | bytes[1];
    const pixels = new Uint32Array(image.data.buffer, first * image.width * 4);
    for (let i = 2, at = 0; i < bytes.length; i += 2, at += 1) pixels[at] = COLOURS[(bytes[i] << 8) | bytes[i + 1]];
    context.putImageData(image, 0, 0, 0, first, image.width, (bytes.length - 2) / 2 / image.width);
    canvas.dataset.painted = Number(canvas.dataset.painted || 0) + 1;
  });
  watch(['display', 'power'], () => {
    canvas.parentElement.classList.toggle('turning', Boolean(state.display?.turning));
    canvas.style.opacity = state.power?.on ? 1 : 0.25;
  });
  watch(['health', 'power'], () => {
    document.getElementById('frames').textContent = state.power?.on ? `${state.health?.writes ?? 0} writes` : 'no power';
  });
}
