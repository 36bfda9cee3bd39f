/** The waiting animation (console §1): 90 by 50 px, 24 frames a second, 29 frames, drawn by code because its asset list is empty. */
export const waterGate = { width: 90, height: 50, framesPerSecond: 24, frames: 29, tint: 0.65, baseOpacity: 0.7, still: 14 } as const;

const { width, height, frames } = waterGate;
const gate = { left: 37, right: 53, top: 8, sill: 43 } as const;

/** How far the gate is open in a frame: shut, opening, open, closing; 0 to 1, and the same at both ends of the loop. */
export const gateOpening = (frame: number): number => (1 - Math.cos((frame / frames) * 2 * Math.PI)) / 2;

const waveAt = (x: number, frame: number, level: number) => level + Math.sin((x / 15 - frame / frames) * 2 * Math.PI) * 1.3;

function traceWater(pen: CanvasRenderingContext2D, frame: number, from: number, to: number, level: number) {
  pen.beginPath();
  pen.moveTo(from, height);
  for (let x = from; x <= to; x += 1) pen.lineTo(x, waveAt(x, frame, level));
  pen.lineTo(to, height);
  pen.closePath();
}

function drawWater(pen: CanvasRenderingContext2D, frame: number) {
  const open = gateOpening(frame);
  pen.fillStyle = '#2b93b5';
  traceWater(pen, frame, 0, gate.left + 5, 20 + open * 4);
  pen.fill();
  traceWater(pen, frame, gate.right - 5, width, 38 - open * 8);
  pen.fill();
  pen.fillRect(gate.left + 4, gate.sill - open * 15, gate.right - gate.left - 8, height);
}

function drawGate(pen: CanvasRenderingContext2D, frame: number) {
  pen.fillStyle = '#06283d';
  pen.fillRect(gate.left, gate.top - 4, 3, height);
  pen.fillRect(gate.right - 3, gate.top - 4, 3, height);
  pen.fillRect(gate.left - 3, gate.top - 4, gate.right - gate.left + 6, 3);
  const lift = gateOpening(frame) * 15;
  pen.fillStyle = '#0b6685';
  pen.fillRect(gate.left + 3, 22 - lift, gate.right - gate.left - 6, gate.sill - 20);
  pen.fillStyle = '#9fd8e8';
  for (const bar of [27, 34]) pen.fillRect(gate.left + 3, bar - lift, gate.right - gate.left - 6, 1.2);
}

const layer = () => Object.assign(document.createElement('canvas'), { width, height });

/** A painter with its two off-screen layers: the scene, and the copy of it that is masked to the water and tinted. */
export function createPainter(target: CanvasRenderingContext2D): (frame: number) => void {
  const scene = layer();
  const masked = layer();
  const scenePen = scene.getContext('2d');
  const maskedPen = masked.getContext('2d');
  return (frame) => {
    if (!scenePen || !maskedPen) return;
    scenePen.clearRect(0, 0, width, height);
    drawWater(scenePen, frame);
    drawGate(scenePen, frame);
    drawTintedCopy(maskedPen, scene, frame);
    target.globalAlpha = 1;
    target.fillStyle = '#ffffff';
    target.fillRect(0, 0, width, height);
    target.globalAlpha = waterGate.baseOpacity;
    target.drawImage(scene, 0, 0);
    target.globalAlpha = 1;
    target.drawImage(masked, 0, 0);
  };
}

function drawTintedCopy(pen: CanvasRenderingContext2D, scene: HTMLCanvasElement, frame: number) {
  pen.globalCompositeOperation = 'source-over';
  pen.globalAlpha = 1;
  pen.clearRect(0, 0, width, height);
  drawWater(pen, frame);
  pen.globalCompositeOperation = 'source-in';
  pen.drawImage(scene, 0, 0);
  pen.globalCompositeOperation = 'source-atop';
  pen.globalAlpha = waterGate.tint;
  pen.fillStyle = '#2fc4b2';
  pen.fillRect(0, 0, width, height);
}
