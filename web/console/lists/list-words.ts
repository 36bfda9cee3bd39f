/** What lists and jobs are called. */
import type { ImportKind, ImportMode } from '#contract/import.ts';
import type { JobStatus } from '#contract/job.ts';

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
  add: { label: 'Add', says: 'New entries are added, known ones renewed.' },
  replace: { label: 'Replace', says: 'The file is the whole list: at the end, what it does not have goes.' },
  remove: { label: 'Remove', says: 'What stands in the file is taken out.' },
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
  receiving: { label: 'Being sent', tone: 'muted' },
  waiting: { label: 'Waiting', tone: 'muted' },
  running: { label: 'Running', tone: 'warn' },
  done: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'muted' },
};

const TALLY: Record<string, string> = {
  exported: 'In the file',
  files: 'Exported files, deleted',
  added: 'Added',
  known: 'Known already',
  removed: 'Removed',
  unknown: 'Were not there',
  leads: 'Leads',
  calls: 'Calls answered again or asked',
  checks: 'Questions to services',
  lateAnswers: 'Late answers',
  notices: 'Loss notices',
  links: 'Links of consumers',
  refusedCalls: 'Refused calls',
  samples: 'Sample leads',
  underWay: 'Still under way, not erased',
  erasedBefore: 'Erased before',
  unreadable: 'Damaged, erased unread',
  unsearched: 'Damaged, could not be searched',
  unmatched: 'Without a value to know anybody by',
};
export const tallyWord = (word: string): string => TALLY[word] ?? word;

/** 'Added 1,204, known already 7'. */
export const sayTally = (tally: Record<string, number>, formatCount: (count: number) => string): string =>
  Object.entries(tally)
    .map(([word, count], index) => `${index === 0 ? tallyWord(word) : tallyWord(word).toLowerCase()} ${formatCount(count)}`)
    .join(', ');
