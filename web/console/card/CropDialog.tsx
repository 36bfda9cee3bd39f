import { Button, Modal, Slider } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { ErrorState } from '#web/ui/states.tsx';
import { type Cut, cutOf, drawCut, STORED } from './cut.ts';

interface CropDialogProps {
  file: File;
  isSaving: boolean;
  onCut: (file: File) => void;
  onClose: () => void;
}

const SHOWN_PX = 280;

/** Cuts a square out of a picture: how large, and where it begins. */
export function CropDialog({ file, isSaving, onCut, onClose }: CropDialogProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  const [cut, setCut] = useState<Cut>({ zoom: 1, x: 50, y: 50 });
  useEffect(() => {
    let isGone = false;
    createImageBitmap(file).then(
      (made) => (isGone ? made.close() : setPicture(made)),
      () => setProblem(new Error('This picture cannot be read. Choose another one.')),
    );
    return () => {
      isGone = true;
    };
  }, [file]);
  useEffect(() => {
    if (picture && canvas.current) drawCut(canvas.current, picture, cutOf(picture, cut), SHOWN_PX);
  }, [picture, cut]);
  const finish = async () => {
    const target = document.createElement('canvas');
    if (!picture) return;
    drawCut(target, picture, cutOf(picture, cut), STORED.px);
    const blob = await new Promise<Blob | null>((resolve) => target.toBlob(resolve, STORED.type, STORED.quality));
    if (blob) onCut(new File([blob], 'picture.jpg', { type: STORED.type }));
  };
  const slider = (label: string, value: number, from: number, to: number, step: number, change: (value: number) => void) => (
    <div>
      <span className="small">{label}</span>
      <Slider thumbLabel={label} label={null} min={from} max={to} step={step} value={value} onChange={change} />
    </div>
  );
  return (
    <Modal opened onClose={onClose} title="Cut the picture" size="sm">
      {problem ? (
        <ErrorState error={problem} onRetry={onClose} />
      ) : (
        <div className="form-stack">
          <canvas
            ref={canvas}
            width={SHOWN_PX}
            height={SHOWN_PX}
            className="crop-canvas"
            aria-label="The picture as it will be cut"
            role="img"
          />
          {slider('Larger', cut.zoom, 1, 4, 0.05, (zoom) => setCut({ ...cut, zoom }))}
          {slider('Left to right', cut.x, 0, 100, 1, (x) => setCut({ ...cut, x }))}
          {slider('Top to bottom', cut.y, 0, 100, 1, (y) => setCut({ ...cut, y }))}
          <div className="row">
            <Button onClick={() => void finish()} loading={isSaving} disabled={!picture}>
              Put it up
            </Button>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
