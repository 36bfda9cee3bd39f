import { Button } from '@mantine/core';
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { readDropped } from './file-drop.ts';

interface FileDropProps {
  /** Names the choice of a file. */
  label: string;
  /** On the button, by which a file is chosen without a mouse. */
  button: string;
  size: 'xs' | 'sm';
  isPending?: boolean;
  onFile: (file: File) => void;
  /** Beside the button. */
  children?: ReactNode;
}

/** One file, chosen by a button or dropped here. */
export function FileDrop({ label, button, size, isPending = false, onFile, children }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useNothingOpened();
  const take = (file: File) => {
    setProblem(null);
    onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (isPending) return;
    const dropped = readDropped(event.dataTransfer);
    if (dropped.file) take(dropped.file);
    else setProblem(dropped.problem);
  };
  return (
    <fieldset
      className="file-drop"
      aria-label="Choose or drop a file"
      data-over={(isOver && !isPending) || undefined}
      onDragEnter={(event) => setOver(hasFiles(event.dataTransfer))}
      onDragOver={(event) => {
        if (!hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = isPending ? 'none' : 'copy';
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) take(file);
          event.currentTarget.value = '';
        }}
      />
      <Button size={size} variant="default" loading={isPending} onClick={() => input.current?.click()}>
        {button}
      </Button>
      <span className="muted small file-drop-says">{isOver && !isPending ? 'Let go to take it.' : 'or drop it here'}</span>
      {children}
      {problem && (
        <span className="bad small" role="alert">
          {problem}
        </span>
      )}
    </fieldset>
  );
}

const hasFiles = ({ types }: DataTransfer) => types.includes('Files');

/** A file that misses would be opened by the browser in place of the page, with all that was typed. */
function useNothingOpened(): void {
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}
