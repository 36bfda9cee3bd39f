import { Button } from '@mantine/core';
import { IconPlus } from '#web/ui/icons.ts';
import type { FieldRow } from '../set-up/rules/filter-words.ts';
import { addMissing, type MappingLine } from './endpoint-draft.ts';
import { MappingRows } from './MappingRows.tsx';

interface RowsProps {
  rows: MappingLine[];
  onChange: (rows: MappingLine[]) => void;
  fields: readonly FieldRow[];
  secretNames: readonly string[];
  typed: boolean;
  /** Of a loss notice, which may tell what the winner pays. */
  isNotice: boolean;
}

/** Mapping rows with what adds to them. */
export function Rows({ rows, onChange, fields, ...more }: RowsProps) {
  const names = fields.map((field) => field.fieldName);
  return (
    <>
      <MappingRows rows={rows} onChange={onChange} fields={fields} {...more} />
      <div className="row">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => onChange([...rows, { to: '', from: { kind: 'field', field: names[0] ?? '' } }])}
        >
          Add a row
        </Button>
        <Button size="xs" variant="default" onClick={() => onChange(addMissing(rows, names))}>
          Add all missing fields
        </Button>
      </div>
    </>
  );
}
