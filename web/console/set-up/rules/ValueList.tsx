import { Button, MultiSelect, TagsInput, Textarea } from '@mantine/core';
import { type ClipboardEvent, useState } from 'react';
import { FILTER_VALUES_MOST, TEXT_LIMIT } from '#contract/tier.ts';
import { formatCount } from '#web/ui/format.ts';
import { FILTER_LIST, listPasted, sayTaken, type TakenValues, takeValues } from './value-list.ts';

/** More would make every key stroke draw them all again: a long list is a text with a value a line. */
const TAGS_MOST = 40;

interface ValueListProps {
  values: string[];
  /** Values to choose from, of a choice. */
  options: readonly string[];
  /** What they are called, where nothing else can be chosen. */
  labels?: Readonly<Record<string, string>> | undefined;
  onChange: (values: string[]) => void;
}

/** The values of "is one of": a few as tags, thousands as lines; a pasted list is taken at once and its doubles left out. */
export function ValueList({ values, options, labels, onChange }: ValueListProps) {
  const [taken, setTaken] = useState<TakenValues | null>(null);
  const take = (found: TakenValues) => {
    setTaken(found);
    onChange(found.values);
  };
  const onPaste = (event: ClipboardEvent) => {
    const text = listPasted(event, FILTER_LIST);
    if (text === null) return;
    event.preventDefault();
    event.stopPropagation();
    take(takeValues(text, values));
  };
  if (labels)
    return (
      <MultiSelect
        aria-label="Values"
        placeholder={values.length === 0 ? 'Choose' : undefined}
        data={options.map((value) => ({ value, label: labels[value] ?? value }))}
        value={values}
        onChange={onChange}
      />
    );
  return (
    <div className="value-list">
      {values.length > TAGS_MOST ? (
        // Another list is another text; while one is typed it is its own.
        <Lines key={values.length} values={values} onTake={take} />
      ) : (
        <div onPasteCapture={onPaste}>
          <TagsInput
            aria-label="Values"
            placeholder={values.length === 0 ? 'Type, then Enter; or paste a list' : undefined}
            data={[...options]}
            splitChars={[',', ';', '\n', '\t']}
            maxTags={FILTER_VALUES_MOST}
            maxLength={TEXT_LIMIT}
            value={values}
            onChange={(next) => {
              setTaken(null);
              onChange(next);
            }}
          />
        </div>
      )}
      <p className="muted small" role="status">
        {taken && `${sayTaken(taken, formatCount)} `}
        {!taken && values.length > TAGS_MOST && `${formatCount(values.length)} values. `}
        {(taken || values.length > TAGS_MOST) && `At most ${formatCount(FILTER_VALUES_MOST)}, each of up to ${TEXT_LIMIT} characters.`}
      </p>
    </div>
  );
}

function Lines({ values, onTake }: { values: string[]; onTake: (found: TakenValues) => void }) {
  const [text, setText] = useState(() => values.join('\n'));
  const read = () => {
    if (text !== values.join('\n')) onTake(takeValues(text));
  };
  return (
    <>
      <Textarea
        aria-label="Values, one a line"
        rows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--s-font-mono)', fontSize: 12.5 } }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={read}
      />
      <span className="row">
        <Button size="compact-sm" variant="default" onClick={() => onTake(takeValues(''))}>
          Remove all
        </Button>
      </span>
    </>
  );
}
