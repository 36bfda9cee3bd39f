import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { IconCheck, IconCopy } from './icons.ts';

/** The clipboard API is missing on plain http, where many consoles run inside a network; the old way still works there. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = Object.assign(document.createElement('textarea'), { value: text });
  field.style.position = 'fixed';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

function useCopied(text: string | (() => string)) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(typeof text === 'string' ? text : text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1600);
  };
  return { copied, copy };
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopied(text);
  const name = copied ? 'Copied' : label;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={24}
      aria-label={name}
      title={name}
      onClick={() => void copy()}
      className="no-print copy-button"
    >
      {copied ? <IconCheck size={15} className="good" /> : <IconCopy size={15} />}
    </ActionIcon>
  );
}

/** The same with its words shown, for the toolbars of wire views. */
export function CopyTextButton({ text, label }: { text: () => string; label: string }) {
  const { copied, copy } = useCopied(text);
  return (
    <button type="button" className="tool-button" onClick={() => void copy()}>
      {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </button>
  );
}
