import { useReducedMotion } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { createPainter, waterGate } from './water-gate.ts';
import './waiting.css';

/** Shown while the console finds out who is there; people who asked for less motion get one still picture. */
export function Waiting() {
  return (
    <main className="waiting">
      <h1 className="sr-only">Sluice</h1>
      <WaterGate />
      <p role="status">Opening the gates…</p>
    </main>
  );
}

function WaterGate() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const still = useReducedMotion(undefined, { getInitialValueInEffect: false });
  useEffect(() => {
    const pen = canvas.current?.getContext('2d');
    if (!pen) return;
    const paint = createPainter(pen);
    let frame = still ? waterGate.still : 0;
    paint(frame);
    if (still) return;
    const timer = setInterval(() => {
      frame = (frame + 1) % waterGate.frames;
      paint(frame);
    }, 1000 / waterGate.framesPerSecond);
    return () => clearInterval(timer);
  }, [still]);
  return <canvas ref={canvas} width={waterGate.width} height={waterGate.height} />;
}
