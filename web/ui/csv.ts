const numeric = /^-?\d+(\.\d+)?$/;

/** A leading formula sign would run in a spreadsheet; a plain number such as -1.50 would not and stays a number. */
const disarm = (value: string) => (/^[=+\-@\t\r]/.test(value) && !numeric.test(value) ? `'${value}` : value);
const quote = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
const cell = (value: string | number | boolean) => quote(disarm(String(value)));

/** RFC 4180 with a byte order mark, so that a spreadsheet reads it as UTF-8. */
export const toCsv = (header: readonly string[], rows: readonly (readonly (string | number | boolean)[])[]): string =>
  `\uFEFF${[header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;

export function saveFile(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
