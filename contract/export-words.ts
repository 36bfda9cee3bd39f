/** What files of leads and the runs of feeds are called on pages and in files, without their schemas. */
import type { ExportFileView, FeedRunView } from './export.ts';

export const RUN_STATE_WORDS: Readonly<Record<FeedRunView['state'], string>> = {
  due: 'Under way',
  sent: 'Sent',
  empty: 'Nothing to send',
  failed: 'Failed',
};
export const sayRunState = ({ state, failure }: Pick<FeedRunView, 'state' | 'failure'>): string =>
  state === 'due' && failure ? 'Tried again' : RUN_STATE_WORDS[state];

const GONE: Readonly<Record<NonNullable<ExportFileView['gone']>, string>> = {
  making: 'Not whole',
  expired: 'Deleted after its days',
  erased: 'Deleted: a person in it was erased',
};
/** Why somebody cannot have a file; null where they can. */
export const whyNoFile = ({ gone, mayDownload }: ExportFileView): string | null =>
  gone ? GONE[gone] : mayDownload ? null : 'Holds persons as they are; not for you';

export function sayBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
