// The wheel display: RGB565 rows as they went over SPI, nothing added.
import { onPixels, state, watch } from './net.js';

const SIZE = 240;

export function startWheel() {
  const canvas = document.getElementById('wheel');
  const context = canvas.getContext('2d');
  const image = context.createImageData(SIZE, SIZE);
  image.data.fill(255);
  onPixels((bytes) => {
    let at = bytes[0] * SIZE * 4;
    for (let i = 1; i < bytes.length; i += 2) {
      const pixel = (bytes[i] << 8) | bytes[i + 1];
      image.data[at] = ((pixel >> 11) * 255) / 31;
      image.data[at + 1] = (((pixel >> 5) & 63) * 255) / 63;
      image.data[at + 2] = ((pixel & 31) * 255) / 31;
      image.data[at + 3] = 255;
      at += 4;
    }
    context.putImageData(image, 0, 0);
    canvas.dataset.painted = Number(canvas.dataset.painted || 0) + 1;
  });
  watch(['display', 'power'], () => {
    const shown = state.display || {};
    canvas.parentElement.classList.toggle('turning', Boolean(shown.turning));
    canvas.style.opacity = state.power?.on ? 1 : 0.25;
    document.getElementById('frames').textContent = state.power?.on ? `${shown.frames} writes` : 'no power';
  });
}
