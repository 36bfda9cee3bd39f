/** What of a personal value may be seen without asking for more: enough to recognise it, not to use it. */
import type { FieldConfig } from '#engine/plan.ts';

const DOTS = '•••';

export function isMasked(field: Pick<FieldConfig, 'privacyClass'> | undefined): boolean {
  return field === undefined || field.privacyClass === 'P2' || field.privacyClass === 'P3';
}

/** Sensitive values keep at most their last four digits, e-mails their domain, others their first letter. */
export function maskValue(field: Pick<FieldConfig, 'privacyClass' | 'type'> | undefined, value: string): string {
  if (!isMasked(field) || value === '') return value;
  if (field?.type === 'email') return `${[...value][0]}${DOTS}@${value.split('@')[1] ?? DOTS}`;
  if (field?.type === 'phone') return `${DOTS}${value.slice(-4)}`;
  if (field?.privacyClass === 'P3') return value.length > 6 ? `${DOTS}${value.slice(-4)}` : DOTS;
  return `${[...value][0]}${DOTS}`;
}

/**
 * Masks every personal value of a lead wherever it stands in a text (a request body, an explanation), as it is and as the
 * usual formats write it, so that a log can be read without reading the person.
 */
export function maskText(text: string, values: { field: FieldConfig | undefined; value: string }[]): string {
  const personal = values.filter(({ field, value }) => isMasked(field) && value.length >= 3);
  const found = personal.flatMap(({ field, value }) =>
    spellings(field, value).map((spelling) => ({ spelling, mask: maskValue(field, value) })),
  );
  // Longest first, so that a part never spoils the whole.
  for (const { spelling, mask } of found.sort((a, b) => b.spelling.length - a.spelling.length)) text = text.replaceAll(spelling, mask);
  return text;
}

function spellings(field: FieldConfig | undefined, value: string): string[] {
  const all = new Set([
    value,
    encodeURIComponent(value),
    encodeURIComponent(value).replaceAll('%20', '+'),
    JSON.stringify(value).slice(1, -1),
    escapeXml(value),
  ]);
  if (field?.type === 'phone') {
    const digits = value.replace(/\D/g, '');
    const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits.replace(/^44/, '0');
    for (const spelling of [
      digits,
      national,
      national.replace(/^(\d{3})(\d{3})(\d{4})$/, '$1-$2-$3'),
      national.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3'),
    ])
      all.add(spelling);
  }
  if (field?.type === 'date') for (const spelling of dates(value)) all.add(spelling);
  return [...all].filter((spelling) => spelling.length >= 3);
}

function dates(iso: string): string[] {
  const [year, month, day] = iso.split('-');
  if (!day) return [];
  return [
    `${month}/${day}/${year}`,
    `${day}/${month}/${year}`,
    `${Number(month)}/${Number(day)}/${year}`,
    `${month}%2F${day}%2F${year}`,
    `${day}-${month}-${year}`,
    `${year}${month}${day}`,
    `${month}${day}${year}`,
  ];
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&apos;');
}
