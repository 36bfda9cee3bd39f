import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useRef } from 'react';

/** What each button puts around what is marked. */
const TOOLS: { label: string; before: string; after: string }[] = [
  { label: 'Heading', before: '<h2>', after: '</h2>' },
  { label: 'Paragraph', before: '<p>', after: '</p>' },
  { label: 'Bold', before: '<strong>', after: '</strong>' },
  { label: 'Italic', before: '<em>', after: '</em>' },
  { label: 'List', before: '<ul>\n  <li>', after: '</li>\n</ul>' },
  { label: 'Link', before: '<a href="https://">', after: '</a>' },
];

interface DescriptionEditorProps {
  value?: string;
  error?: ReactNode;
  onChange?: (value: string) => void;
}

/** The words above the form, as HTML. Scripts, styles and frames are taken out when it is saved. */
export function DescriptionEditor({ value = '', error, onChange }: DescriptionEditorProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const wrap = (before: string, after: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = input.current ?? {};
    const marked = value.slice(selectionStart, selectionEnd);
    onChange?.(`${value.slice(0, selectionStart)}${before}${marked}${after}${value.slice(selectionEnd)}`);
    const caret = selectionStart + before.length + marked.length;
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(caret, caret);
    });
  };
  return (
    <div className="form-stack">
      <Textarea
        ref={input}
        label="Description"
        name="landerDescription"
        description="Shown above the form. HTML: headings, paragraphs, bold, italic, lists and links; all else is taken out when it is saved."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={value}
        error={error}
        onChange={(event) => onChange?.(event.currentTarget.value)}
        autosize
        minRows={5}
        maxLength={20_000}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      />
      <div className="row">
        {TOOLS.map(({ label, before, after }) => (
          <Button key={label} size="compact-sm" variant="default" onClick={() => wrap(before, after)}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}
