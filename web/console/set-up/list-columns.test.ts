import { expect, test } from 'vitest';
import { shownColumns } from './list-columns.ts';

test('a list shows its usual columns, and what was chosen on top; the first cannot go', () => {
  const columns = [
    { field: 'name', head: 'Name' },
    { field: 'status', head: 'Status' },
    { field: 'notes', head: 'Notes', optional: true as const },
  ];
  const fields = (choice: Record<string, boolean>) => shownColumns(columns, choice).map((column) => column.field);
  expect(fields({})).toEqual(['name', 'status']);
  expect(fields({ notes: true, status: false })).toEqual(['name', 'notes']);
  expect(fields({ name: false, gone: true })).toEqual(['name', 'status']);
});
