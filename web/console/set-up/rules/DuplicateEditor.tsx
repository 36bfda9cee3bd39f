import { MultiSelect, NativeSelect, Switch } from '@mantine/core';
import type { DuplicateRuleView } from '#contract/tier.ts';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import type { FieldRow } from './filter-words.ts';

interface DuplicateEditorProps {
  value: DuplicateRuleView | null;
  onChange: (value: DuplicateRuleView | null) => void;
  fields: readonly FieldRow[];
}

/** The same consumer again: by which fields, within how many days, and what counts as having come before. */
export function DuplicateEditor({ value, onChange, fields }: DuplicateEditorProps) {
  const options = fields.map((field) => ({ value: field.fieldName, label: field.fieldHumanName }));
  const first = fields.find((field) => field.type === 'email') ?? fields[0];
  return (
    <>
      <Switch
        label="Refuse the same consumer again"
        checked={value !== null}
        disabled={!first}
        onChange={(event) =>
          onChange(
            event.currentTarget.checked && first ? { fields: [first.fieldName], match: 'any', windowDays: 30, counts: 'sold' } : null,
          )
        }
      />
      {value && (
        <div className="form-three">
          <MultiSelect
            label="Compared by"
            data={options}
            value={value.fields}
            onChange={(names) => names.length > 0 && onChange({ ...value, fields: names })}
          />
          <NativeSelect
            label="When"
            data={[
              { value: 'any', label: 'any of them is the same' },
              { value: 'all', label: 'all of them are the same' },
            ]}
            value={value.match}
            onChange={(event) => onChange({ ...value, match: event.currentTarget.value as 'any' | 'all' })}
          />
          <DigitsInput
            label="Within"
            unit="days"
            value={value.windowDays === 0 ? '' : String(value.windowDays)}
            error={value.windowDays === 0 && 'At least one day.'}
            onChange={(days) => onChange({ ...value, windowDays: Math.min(3650, Number(days)) })}
          />
          <NativeSelect
            label="As one of before counts"
            data={[
              { value: 'sold', label: 'a sold lead' },
              { value: 'received', label: 'any lead that came this far' },
            ]}
            value={value.counts}
            onChange={(event) => onChange({ ...value, counts: event.currentTarget.value as 'sold' | 'received' })}
          />
        </div>
      )}
    </>
  );
}
