import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { IconPlus, IconX } from '#web/ui/icons.ts';

interface PairRowsProps {
  value: Record<string, string>;
  onChange: (value: Record<string, string>) => void;
  /** What one pair is called, e.g. 'header'. */
  word: string;
  left: { label: string; placeholder?: string; maxLength: number };
  right: { label: string; placeholder?: string; maxLength: number };
  most: number;
}

/** Names with one text each. A name that stands twice is said to; the later one counts. */
export function PairRows({ value, onChange, word, left, right, most }: PairRowsProps) {
  // Two rows may have the same name while one is typed; the record cannot hold that.
  const [pairs, setPairs] = useState(() => Object.entries(value));
  const set = (next: [string, string][]) => {
    setPairs(next);
    onChange(Object.fromEntries(next.filter(([name]) => name !== '')));
  };
  const replace = (at: number, pair: [string, string]) => set(pairs.map((one, index) => (index === at ? pair : one)));
  return (
    <div className="form-stack">
      {pairs.length > 0 && (
        <ul className="mapping">
          {pairs.map(([name, text], at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no name while it is typed
            <li key={at} className="pair-row">
              <TextInput
                size="xs"
                aria-label={`${left.label} ${at + 1}`}
                placeholder={left.placeholder ?? left.label}
                spellCheck={false}
                maxLength={left.maxLength}
                value={name}
                error={name !== '' && pairs.some(([other], index) => index > at && other === name) && 'Stands again below.'}
                onChange={(event) => replace(at, [event.currentTarget.value, text])}
              />
              <TextInput
                size="xs"
                aria-label={`${right.label} of ${name || `row ${at + 1}`}`}
                placeholder={right.placeholder ?? right.label}
                spellCheck={false}
                maxLength={right.maxLength}
                value={text}
                onChange={(event) => replace(at, [name, event.currentTarget.value])}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={26}
                aria-label={`Remove ${word} ${name || at + 1}`}
                onClick={() => set(pairs.filter((_, index) => index !== at))}
              >
                <IconX size={15} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          disabled={pairs.length >= most}
          onClick={() => setPairs([...pairs, ['', '']])}
        >
          Add a {word}
        </Button>
      </div>
    </div>
  );
}
