/** The publisher's own body, masked field by field as intake reads it, and written again in its own format. */
import { DEFAULT_TIMEOUT_MS } from '#contract/posting.ts';
import type { FieldConfig } from '#engine/plan.ts';
import { DOTS, isMasked, leavesOf, maskPersonal, type PersonalValue } from './mask.ts';
import { encodeForm, escapeXml } from './mask-document.ts';
import type { Masking } from './mask-text.ts';
import { isRefusal, type Posting, type PostingRefusal, readPosting } from './posting.read.ts';

export interface PostedBody {
  contentType: string;
  body: string;
}

/** The lead as it was posted; a refusal where the kept body cannot be read (any more). */
export function readPosted({ body, contentType }: PostedBody): Posting | PostingRefusal {
  return readPosting(Buffer.from(body, 'utf8'), contentType);
}

/** Every personal value of the body as it was written: unknown fields too, and whatever a known field was refused for. */
export function postedValues(posting: Posting | PostingRefusal, fields: FieldConfig[]): PersonalValue[] {
  if (isRefusal(posting)) return [];
  const known = new Map(fields.map((field) => [field.fieldName, field]));
  return Object.entries(posting.fields)
    .filter(([name]) => isMasked(known.get(name)))
    .flatMap(([name, value]) => leavesOf(value).map((leaf) => ({ field: known.get(name), value: leaf })));
}

/** `accepted`: names of fields whose value passed its check; what was refused may be anything, another column's value, say. */
export function maskPosting(
  posted: PostedBody,
  posting: Posting | PostingRefusal,
  fields: FieldConfig[],
  accepted: ReadonlySet<string>,
  masking: Masking,
): string {
  if (isRefusal(posting)) return masking.text(`${posted.body.length} characters, not shown: they cannot be read as a lead. ${posting.msg}`);
  const known = new Map(fields.map((field) => [field.fieldName, field]));
  const shown: [string, unknown][] = Object.entries(posting.fields).map(([name, value]) => [
    masking.name(name),
    maskField(masking, known.get(name), accepted.has(name), value),
  ]);
  return write(posted, [...controlsOf(posting, masking), ...shown], masking);
}

function maskField(masking: Masking, field: FieldConfig | undefined, isAccepted: boolean, value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return maskTree(masking, value);
  if (value === null || value === undefined || value === '') return value;
  const text = String(value);
  if (isMasked(field)) return maskPersonal(field, text);
  const masked = maskOpen(masking, text, isAccepted);
  return masked === text ? value : masked;
}

/** A value of class P0 or P1, which stays readable but for what belongs elsewhere. */
export function maskOpen(masking: Masking, text: string, isAccepted: boolean): string {
  return isAccepted || [...text].length <= 3 ? masking.leaf(text) : maskPersonal(undefined, text);
}

function maskTree(masking: Masking, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => maskTree(masking, one));
  if (typeof value === 'object' && value !== null)
    return tree(Object.entries(value).map(([name, one]) => [masking.name(name), maskTree(masking, one)]));
  return value === null ? null : maskPersonal(undefined, String(value));
}

/** Without a prototype, so that no name is special. */
function tree(entries: [string, unknown][]): Record<string, unknown> {
  return entries.reduce<Record<string, unknown>>((all, [name, value]) => Object.assign(all, { [name]: value }), Object.create(null));
}

/** What was said about the call itself; the key is never shown. */
function controlsOf(posting: Posting, masking: Masking): [string, unknown][] {
  const { key, test, timeoutMs, pingId, format, campaignId } = posting;
  const all: [string, unknown][] = [
    ['key', key && DOTS],
    ['test', test || undefined],
    ['timeoutMs', timeoutMs === DEFAULT_TIMEOUT_MS ? undefined : timeoutMs],
    ['pingId', pingId && masking.text(pingId)],
    ['format', format],
    ['campaignId', campaignId && masking.text(campaignId)],
  ];
  return all.filter(([, value]) => value !== undefined);
}

function write({ body, contentType }: PostedBody, entries: [string, unknown][], masking: Masking): string {
  const text = body.trim();
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  if (text.startsWith('<')) return writeXml(masking.name(rootOf(text)), entries);
  if (text.startsWith('{') || type.endsWith('json')) return JSON.stringify(tree(entries), null, 2);
  return entries.map(([name, value]) => `${encodeForm(name)}=${encodeForm(String(value ?? ''))}`).join('&');
}

function rootOf(text: string): string {
  return /<([A-Za-z_][\w.-]{0,60})/.exec(text)?.[1] ?? 'lead';
}

function writeXml(root: string, entries: [string, unknown][]): string {
  return `<${root}>\n${entries.map(([name, value]) => writeElement(name, value, '  ')).join('\n')}\n</${root}>`;
}

function writeElement(name: string, value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.map((one) => writeElement(name, one, indent)).join('\n');
  if (name === '#text') return indent + escapeXml(String(value ?? ''));
  if (typeof value !== 'object' || value === null) return `${indent}<${name}>${escapeXml(String(value ?? ''))}</${name}>`;
  const inner = Object.entries(value).map(([child, one]) => writeElement(child, one, `${indent}  `));
  return `${indent}<${name}>\n${inner.join('\n')}\n${indent}</${name}>`;
}
