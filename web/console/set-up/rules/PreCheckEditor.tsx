import { NativeSelect, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { fieldsOfCheck } from '#contract/pre-check.ts';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import type { FieldRow } from './filter-words.ts';
import { type CheckDraft, toPreCheck } from './pre-check-text.ts';

interface PreCheckEditorProps {
  value: CheckDraft;
  onChange: (value: CheckDraft) => void;
  fields: readonly FieldRow[];
  error?: ReactNode;
}

const COUNTRIES = [
  { value: 'us', label: 'the United States' },
  { value: 'uk', label: 'the United Kingdom' },
  { value: 'us uk', label: 'either of the two' },
  { value: '', label: 'any country' },
];
const WHEN_EMPTY = [
  { value: 'refuse', label: 'Refuse the lead' },
  { value: 'pass', label: 'Let it pass' },
];

/** By which rules a ready-made check judges. */
export function PreCheckEditor({ value, onChange, fields, error }: PreCheckEditorProps) {
  const set = (change: Partial<CheckDraft>) => onChange({ ...value, ...change });
  const typesOf = (path: string) =>
    fieldsOfCheck(toPreCheck({ ...value, dateField: value.dateField || '_' })).find((one) => one.path === path)?.types;
  const choose = (name: 'field' | 'stateField' | 'zipField' | 'dateField', path: string, label: string, none: string) => {
    const fit = fields.filter((one) => !typesOf(path) || typesOf(path)!.includes(one.type) || one.fieldName === value[name]);
    return (
      <NativeSelect
        label={label}
        data={[{ value: '', label: none }, ...fit.map((one) => ({ value: one.fieldName, label: one.fieldHumanName }))]}
        value={value[name]}
        onChange={(event) => set({ [name]: event.currentTarget.value })}
      />
    );
  };
  const whenEmpty = (
    <NativeSelect
      label="When the lead brings none"
      data={WHEN_EMPTY}
      value={value.whenEmpty}
      onChange={(event) => set({ whenEmpty: event.currentTarget.value as CheckDraft['whenEmpty'] })}
    />
  );
  return (
    <div className="form-stack" data-path="endpoint">
      <div className="form-three">
        {value.kind === 'address' ? (
          <>
            {choose('stateField', 'stateField', 'State', 'Choose…')}
            {choose('zipField', 'zipField', 'ZIP code', 'Choose…')}
          </>
        ) : (
          choose('field', 'field', value.kind === 'consent' ? 'Certificate' : 'Field', 'Choose…')
        )}
        {value.kind === 'phone' && (
          <NativeSelect
            label="A number of"
            data={COUNTRIES}
            value={value.countries.join(' ')}
            onChange={(event) => set({ countries: event.currentTarget.value.split(' ').filter(Boolean) as CheckDraft['countries'] })}
          />
        )}
        {value.kind === 'consent' && choose('dateField', 'age.dateField', 'Given on', 'Any age')}
        {value.kind === 'consent' && value.dateField !== '' && (
          <DigitsInput label="At most so old" unit="days" value={value.mostDays} onChange={(mostDays) => set({ mostDays })} />
        )}
        {value.kind !== 'consent' && whenEmpty}
      </div>
      {value.kind === 'email' && (
        <Textarea
          label="Domains that are refused"
          description="One a line, each with all that lies under it. Yours to add to and to take from."
          autosize
          minRows={6}
          maxRows={16}
          spellCheck={false}
          value={value.disposable}
          onChange={(event) => set({ disposable: event.currentTarget.value })}
        />
      )}
      {value.kind === 'consent' && (
        <Textarea
          label="Certificates are addresses at"
          description="One domain a line, such as cert.trustedform.com; none: whatever stands there is a certificate."
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          value={value.hosts}
          onChange={(event) => set({ hosts: event.currentTarget.value })}
        />
      )}
      {error && (
        <p className="bad small" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
