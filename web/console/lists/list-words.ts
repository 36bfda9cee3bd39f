/** What lists and jobs are called. */
import type { ImportKind, ImportMode } from '#contract/import.ts';
import type { JobStatus } from '#contract/job.ts';
import { IMPORT_MODE_WORDS, JOB_STATUS_WORDS } from '#contract/job-words.ts';

export const HOLDS = [
  { value: 'email', label: 'E-mail addresses' },
  { value: 'phone', label: 'Phone numbers' },
  { value: 'text', label: 'Values of one field' },
];
export const FORMS = [
  { value: 'plain', label: 'As they are' },
  { value: 'md5', label: 'MD5 hashes' },
  { value: 'sha1', label: 'SHA-1 hashes' },
  { value: 'sha256', label: 'SHA-256 hashes' },
];

/** 'E-mail addresses', 'Phone numbers as MD5 hashes', 'Values of ssn'. */
export function entryWords({ holds, form, fieldName }: Record<string, unknown>): string {
  const what = holds === 'text' ? `Values of ${fieldName}` : (HOLDS.find((one) => one.value === holds)?.label ?? '');
  return form === 'plain' ? what : `${what} as ${FORMS.find((one) => one.value === form)?.label ?? ''}`;
}

export const MODES: Record<ImportMode, { label: string; says: string }> = {
  add: { label: IMPORT_MODE_WORDS.add, says: 'New entries are added, known ones renewed.' },
  replace: { label: IMPORT_MODE_WORDS.replace, says: 'The file is the whole list: at the end, what it does not have goes.' },
  remove: { label: IMPORT_MODE_WORDS.remove, says: 'What stands in the file is taken out.' },
};
/** A choice of one that replaces. */
export const DESPITE_ERRORS = 'Replace although most rows are wrong';
/** What replacing spares. */
export const REPLACE_SPARES: Record<ImportKind, string> = {
  suppressionImport: '',
  bankImport: ' Banks that were given a move stay.',
  binImport: ' Ranges that were given a move stay.',
};

export const KIND_WORDS: Record<string, string> = {
  suppressionImport: 'Import of a suppression list',
  bankImport: 'Import of banks',
  binImport: 'Import of BIN ranges',
  erasure: 'Erasure of one person',
  export: 'Export of leads',
};

export const JOB_STATUS: Record<JobStatus, { label: string; tone: 'good' | 'warn' | 'bad' | 'muted' }> = {
  receiving: { label: JOB_STATUS_WORDS.receiving, tone: 'muted' },
  waiting: { label: JOB_STATUS_WORDS.waiting, tone: 'muted' },
  running: { label: JOB_STATUS_WORDS.running, tone: 'warn' },
  done: { label: JOB_STATUS_WORDS.done, tone: 'good' },
  failed: { label: JOB_STATUS_WORDS.failed, tone: 'bad' },
  cancelled: { label: JOB_STATUS_WORDS.cancelled, tone: 'muted' },
};
