/** A value becomes part of a grammar only through one of these; nothing is ever pasted. */

/** None of these can be written in XML 1.0 at all, not even as a reference (XML 1.0 §2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the forbidden characters are the point.
const notXml = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const xmlSpecial = /[&<>"'\t\n\r]/g;
const xmlNames: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** For element text and attribute values alike. `onDrop` is told when a character had to be left out. */
export function escapeXml(text: string, onDrop?: () => void): string {
  const sendable = text.replace(notXml, '');
  if (sendable.length !== text.length) onDrop?.();
  return sendable.replace(xmlSpecial, (sign) => xmlNames[sign]!);
}

/** The inside of a JSON string, without its quotes. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Percent-encoding of everything but RFC 3986's unreserved characters; lone surrogates become U+FFFD. */
export function escapeUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** application/x-www-form-urlencoded (WHATWG URL §5.2). */
export function escapeForm(text: string): string {
  return escapeUrl(text).replaceAll('%20', '+');
}

/** One RFC 4180 field. */
export function escapeCsv(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Plain text has no grammar to escape into; line breaks and control characters become blanks so that a value stays on its line. */
export function escapeLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the forbidden characters are the point.
  return text.replace(/[\x00-\x1f\x7f]+/g, ' ');
}

/** One header line: UTF-8 bytes as the obs-text of RFC 9110 §5.5, control characters as blanks. */
export function escapeHeader(text: string): string {
  const line = escapeLine(text).trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins at 0.
  return /^[\x00-\x7f]*$/.test(line) ? line : Buffer.from(line, 'utf8').toString('latin1');
}
