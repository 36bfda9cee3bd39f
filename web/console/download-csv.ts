import { toast } from '#web/ui/toast.ts';
import { sessionQuery } from './api/session.ts';
import { message } from './message.ts';
import { queryClient } from './query-client.ts';

const FRAME = 'csv-download';

/** Account §7: a file is asked for by a hidden form, so that the browser saves it while it comes, however long it is. */
export function downloadCsv(list: string, fields: Record<string, string>): void {
  const action = queryClient.getQueryData(sessionQuery.queryKey)?.downloadFileUrl;
  if (!action) return;
  const form = document.createElement('form');
  Object.assign(form, { action: `${action}/${list}`, method: 'post', target: frame().name, hidden: true });
  for (const [name, value] of Object.entries({ ...fields, isDownloadCSV: 'true' }))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  document.body.append(form);
  form.submit();
  form.remove();
}

interface RecordsFile {
  /** What finds them, as a list asks for a page of it. */
  listing: unknown;
  name: string;
  columns: readonly { field: string; head: string }[];
  zone: string;
}

/** Every record that a list finds, with these columns. */
export const downloadRecords = ({ listing, name, columns, zone }: RecordsFile): void =>
  downloadCsv('records', {
    listing: JSON.stringify(listing),
    name: name.replaceAll(' ', '-'),
    columns: columns.map(({ field }) => field).join(','),
    heads: JSON.stringify(Object.fromEntries(columns.map(({ field, head }) => [field, head]))),
    timeZone: zone,
  });

/** A file leaves the frame empty; only a refusal is loaded into it. */
function frame(): HTMLIFrameElement {
  const known = document.querySelector<HTMLIFrameElement>(`iframe[name=${FRAME}]`);
  if (known) return known;
  const made = Object.assign(document.createElement('iframe'), { name: FRAME, hidden: true, title: 'Downloads' });
  document.body.append(made);
  made.addEventListener('load', () => {
    if (!isEmpty(made)) void toast('error', message('fileNotMade'));
  });
  return made;
}

/** What a refusal leaves in the frame may not be looked into. */
function isEmpty({ contentWindow }: HTMLIFrameElement): boolean {
  try {
    return contentWindow?.location.href === 'about:blank';
  } catch {
    return false;
  }
}
