import { Button } from '@mantine/core';
import { useRef } from 'react';
import { PICTURE_EXTENSIONS } from '#contract/logo.ts';
import { pictureProblem } from './picture-problem.ts';

interface PictureInputProps {
  /** What the picture is; it names the button too. */
  label: string;
  maxBytes: number;
  loading: boolean;
  onChoose: (file: File) => void;
  /** With a sentence that says what would be taken. */
  onRefuse: (problem: string) => void;
}

/** Chooses a picture; what is none by its name or kind, or is too large, is refused before anything is sent (console §5). */
export function PictureInput({ label, maxBytes, loading, onChoose, onRefuse }: PictureInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = (file: File | undefined) => {
    if (!file) return;
    const problem = pictureProblem(file, maxBytes);
    if (problem) onRefuse(problem);
    else onChoose(file);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={PICTURE_EXTENSIONS.map((one) => `.${one}`).join(',')}
        onChange={(event) => {
          choose(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      <Button size="xs" variant="default" loading={loading} onClick={() => input.current?.click()} aria-label={`Choose a file: ${label}`}>
        Choose a file
      </Button>
    </>
  );
}
