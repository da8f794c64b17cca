// The wheel display: RGB565 rows as they went over SPI, nothing added.
import { onPixels, state, watch } from './net.js';

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
    let at = ((bytes[0] << 8) | bytes[1]) * image.width * 4;
    for (let i = 2; i < bytes.length; i += 2) {
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
