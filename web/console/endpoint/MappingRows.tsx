import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { systemNames } from '#contract/endpoint.system.ts';
import { IconAdjustmentsHorizontal, IconArrowDown, IconArrowUp, IconX } from '#web/ui/icons.ts';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import type { FieldRow } from '../set-up/rules/filter-words.ts';
import type { JsonObject, MappingLine } from './endpoint-draft.ts';
import { formatSummary } from './formatters.ts';
import { RowFormat } from './RowFormat.tsx';

const SOURCES = [
  { value: 'field', label: 'Field' },
  { value: 'constant', label: 'Fixed text' },
  { value: 'system', label: 'Known to us' },
  { value: 'secret', label: 'Secret' },
  { value: 'capture', label: 'From the ping’s answer' },
  { value: 'template', label: 'Template' },
];

const begin: Record<string, JsonObject> = {
  field: { kind: 'field', field: '' },
  constant: { kind: 'constant', value: '' },
  system: { kind: 'system', name: 'leadId' },
  secret: { kind: 'secret', name: '' },
  capture: { kind: 'capture', name: '' },
  template: { kind: 'template', text: '' },
};

interface MappingRowsProps {
  rows: MappingLine[];
  onChange: (rows: MappingLine[]) => void;
  fields: readonly FieldRow[];
  secretNames: readonly string[];
  /** Whether values have a type where they go: JSON. */
  typed: boolean;
  isNotice: boolean;
}

/** The buyer's key on the left, what fills it on the right, and below a row, when asked for, what happens to the value in between. */
export function MappingRows({ rows, onChange, fields, secretNames, typed, isNotice }: MappingRowsProps) {
  const [open, setOpen] = useState<number | null>(null);
  const set = (at: number, part: Partial<MappingLine>) =>
    onChange(rows.map((row, index) => (index === at ? ({ ...row, ...part } as MappingLine) : row)));
  const move = (at: number, to: number) => {
    const rest = rows.filter((_, index) => index !== at);
    onChange([...rest.slice(0, to), rows[at]!, ...rest.slice(to)]);
    setOpen(null);
  };
  if (rows.length === 0) return <p className="muted small">Nothing of the lead is sent yet.</p>;
  return (
    <ol className="mapping">
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name while its key is typed
        <li key={at} className="mapping-row">
          <TextInput
            size="xs"
            aria-label={`Buyer’s key ${at + 1}`}
            placeholder="applicant.email"
            spellCheck={false}
            maxLength={300}
            value={row.to}
            onChange={(event) => set(at, { to: event.currentTarget.value })}
          />
          <NativeSelect
            size="xs"
            aria-label={`Source of ${row.to || `row ${at + 1}`}`}
            data={SOURCES}
            value={String(row.from.kind)}
            onChange={(event) => set(at, { from: begin[event.currentTarget.value]! })}
          />
          <Source
            from={row.from}
            label={`Value of ${row.to || `row ${at + 1}`}`}
            onChange={(from) => set(at, { from })}
            fields={fields}
            secretNames={secretNames}
            isNotice={isNotice}
          />
          <span className="row mapping-tools">
            <Button
              size="compact-xs"
              variant={formatSummary(row) === '' ? 'subtle' : 'light'}
              color={formatSummary(row) === '' ? 'gray' : 'brand'}
              leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden />}
              aria-expanded={open === at}
              aria-label={`Format of ${row.to || `row ${at + 1}`}${formatSummary(row) === '' ? '' : `: ${formatSummary(row)}`}`}
              title={formatSummary(row)}
              onClick={() => setOpen(open === at ? null : at)}
            >
              <span className="format-summary">{formatSummary(row) || 'Format'}</span>
            </Button>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-label={`Move ${row.to} up`}
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            >
              <IconArrowUp size={15} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-label={`Move ${row.to} down`}
              disabled={at === rows.length - 1}
              onClick={() => move(at, at + 1)}
            >
              <IconArrowDown size={15} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-label={`Remove ${row.to}`}
              onClick={() => {
                onChange(rows.filter((_, index) => index !== at));
                setOpen(null);
              }}
            >
              <IconX size={15} />
            </ActionIcon>
          </span>
          {open === at && (
            <RowFormat row={row} typed={typed} onChange={(next) => onChange(rows.map((one, index) => (index === at ? next : one)))} />
          )}
        </li>
      ))}
    </ol>
  );
}

function Source({
  from,
  label,
  onChange,
  fields,
  secretNames,
  isNotice,
}: { from: JsonObject; label: string; onChange: (from: JsonObject) => void } & Pick<
  MappingRowsProps,
  'fields' | 'secretNames' | 'isNotice'
>) {
  switch (from.kind) {
    case 'field': {
      const known = fields.map((field) => ({ value: field.fieldName, label: field.fieldHumanName }));
      const name = String(from.field ?? '');
      const options = known.some((one) => one.value === name) || name === '' ? known : [...known, { value: name, label: `${name} (gone)` }];
      return (
        <SelectSearch
          size="xs"
          aria-label={label}
          options={options}
          emptyText="No fields found."
          value={name || null}
          onChange={(field) => field && onChange({ kind: 'field', field })}
        />
      );
    }
    case 'system':
      return (
        <NativeSelect
          size="xs"
          aria-label={label}
          data={systemNames.filter((name) => isNotice || name !== 'winningPrice')}
          value={String(from.name)}
          onChange={(event) => onChange({ kind: 'system', name: event.currentTarget.value })}
        />
      );
    case 'secret':
      return (
        <NativeSelect
          size="xs"
          aria-label={label}
          data={['', ...new Set([...secretNames, ...(from.name ? [String(from.name)] : [])])]}
          value={String(from.name ?? '')}
          onChange={(event) => onChange({ kind: 'secret', name: event.currentTarget.value })}
        />
      );
    case 'capture':
      return (
        <TextInput
          size="xs"
          aria-label={label}
          placeholder="Name of the capture"
          value={String(from.name ?? '')}
          onChange={(event) => onChange({ kind: 'capture', name: event.currentTarget.value })}
        />
      );
    case 'template':
      return (
        <TextInput
          size="xs"
          aria-label={label}
          placeholder="{{field.first_name}} {{field.last_name}}"
          value={String(from.text ?? '')}
          onChange={(event) => onChange({ kind: 'template', text: event.currentTarget.value })}
        />
      );
    default:
      return (
        <TextInput
          size="xs"
          aria-label={label}
          value={String(from.value ?? '')}
          onChange={(event) => onChange({ kind: 'constant', value: event.currentTarget.value })}
        />
      );
  }
}
