/** Files that are handed in as CSV and are none, by how they begin. */

const begins = (bytes: Uint8Array, ...signature: number[]) => signature.every((one, at) => bytes[at] === one);

/** What a file is instead, and what to do, in sentences; undefined where it may be text. Two bytes a character would be read as nothing but errors, and no text holds a NUL. */
export function whyNoText(beginning: Uint8Array): string | undefined {
  if (begins(beginning, 0xff, 0xfe) || begins(beginning, 0xfe, 0xff))
    return 'The file is written in UTF-16. Save it as "CSV UTF-8" and import that.';
  // Of a ZIP, also one with nothing in it or of several parts.
  if ([0x0403, 0x0605, 0x0807].some((kind) => begins(beginning, 0x50, 0x4b, kind & 0xff, kind >> 8)))
    return 'The file is a ZIP archive, or a spreadsheet such as .xlsx. Unpack the archive, or save the sheet as CSV, and import the CSV file.';
  if (begins(beginning, 0x1f, 0x8b)) return 'The file is packed with gzip. Unpack it and import the CSV file that is in it.';
  return beginning.includes(0) ? 'The file is no text. Save it as CSV and import that.' : undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const western = new TextDecoder('windows-1252');

/** What a file or a part of one says: UTF-8, or else what spreadsheets of the West wrote before. A part must end where a character does. */
export function decodeFile(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return western.decode(bytes);
  }
}
