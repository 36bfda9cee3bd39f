import type { RecordRow } from '../api/record.ts';

const OPTIONS = [
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
];

/** Archived is nothing to choose: it is shown where it is so. */
export const statusOptionsOf = (row: RecordRow | undefined) =>
  row?.status === 'archived' ? [...OPTIONS, { value: 'archived', label: 'Archived' }] : OPTIONS;
