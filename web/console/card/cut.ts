/** What is stored, for a place of 112 pixels on a phone that draws three dots for each: a larger one makes it wait. */
export const STORED = { px: 400, type: 'image/jpeg', quality: 0.82 } as const;

/** Which square of a picture is kept. */
export interface Cut {
  /** 1 is the largest square there is. */
  zoom: number;
  /** In percent of the room that is left, from the left and from the top. */
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

export interface Square {
  left: number;
  top: number;
  side: number;
}

/** In pixels of the picture; never beyond its edge. */
export function cutOf({ width, height }: Size, { zoom, x, y }: Cut): Square {
  const side = Math.min(width, height) / Math.max(1, zoom);
  return { left: ((width - side) * x) / 100, top: ((height - side) * y) / 100, side };
}

export function drawCut(canvas: HTMLCanvasElement, picture: ImageBitmap, { left, top, side }: Square, size: number): void {
  canvas.width = size;
  canvas.height = size;
  const pen = canvas.getContext('2d');
  if (!pen) return;
  // A JPEG knows no transparency.
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, size, size);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, left, top, side, side, 0, 0, size, size);
}
