/** A card as a file for an address book: vCard 3.0, which every phone reads. */
import type { PublicCard } from './card.sql.ts';

export function contactCard(card: PublicCard, url: string): string {
  const [first = '', ...rest] = card.name.split(' ');
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${text(rest.join(' '))};${text(first)};;;`,
    `FN:${text(card.name)}`,
    card.company && `ORG:${text(card.company)}`,
    card.title && `TITLE:${text(card.title)}`,
    card.email && `EMAIL;TYPE=INTERNET:${text(card.email)}`,
    card.phone && `TEL;TYPE=WORK:${text(card.phone)}`,
    // An address is no text: its commas stand as they are.
    card.website && `URL:${card.website}`,
    card.additionalInformation && `NOTE:${text(card.additionalInformation)}`,
    `SOURCE:${url}`,
    'END:VCARD',
  ];
  return `${lines.filter(Boolean).map(folded).join('\r\n')}\r\n`;
}

const text = (value: string): string =>
  value
    .replaceAll('\\', '\\\\')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/[,;]/g, (sign) => `\\${sign}`);

/** At most 75 bytes a line (RFC 2426), never within a character. */
function folded(line: unknown): string {
  const parts: string[] = [''];
  for (const sign of String(line)) {
    if (Buffer.byteLength(parts.at(-1)! + sign) > (parts.length === 1 ? 75 : 74)) parts.push('');
    parts[parts.length - 1] += sign;
  }
  return parts.join('\r\n ');
}
