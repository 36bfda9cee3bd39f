/** Reads a posted lead: JSON, form or XML, whatever its Content-Type claims; or says in one sentence what is wrong with it. */

import { DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS, postingControls } from '#contract/posting.ts';
import { readXml as parseXml, type XmlElement } from '#server/delivery/read-xml.ts';

export interface Posting {
  fields: Record<string, unknown>;
  key: string | undefined;
  timeoutMs: number;
  test: boolean;
  pingId: string | undefined;
  format: 'json' | 'xml' | undefined;
  campaignId: string | undefined;
}

/** `key` and `format`: as far as the body could be read. */
export type PostingRefusal = { refused: string; msg: string; field?: string; key?: string; format?: 'json' | 'xml' };

/** The most fields a posting may carry. */
const MOST_FIELDS = 300;
const DEEPEST = 8;

export function readPosting(body: Buffer, contentType: string): Posting | PostingRefusal {
  const text = decode(body);
  if (text === undefined) return refuse('body_not_utf8', 'The body is not valid UTF-8 text.');
  if (text.trim() === '') return refuse('body_empty', 'The body is empty. Send the lead as JSON, form fields or XML.');
  const fields = readFields(text.trim(), contentType);
  if (isRefusal(fields)) return fields;
  const posting = readControls(fields);
  if (!isRefusal(posting)) return posting;
  const [key, format] = [textOf(fields.key), formatOf(fields.format)];
  return Object.assign(posting, key !== undefined && { key }, format && { format });
}

export function formatOf(value: unknown): 'json' | 'xml' | undefined {
  return value === 'json' || value === 'xml' ? value : undefined;
}

export function isRefusal(value: object): value is PostingRefusal {
  return (
    typeof (value as PostingRefusal).refused === 'string' &&
    typeof (value as PostingRefusal).msg === 'string' &&
    Object.getPrototypeOf(value) === REFUSAL
  );
}

const REFUSAL = Object.freeze({});

function refuse(refused: string, msg: string, field?: string): PostingRefusal {
  return Object.assign(Object.create(REFUSAL), { refused, msg, ...(field && { field }) });
}

function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function readFields(text: string, contentType: string): Record<string, unknown> | PostingRefusal {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  if (text.startsWith('<')) return readXml(text);
  if (text.startsWith('{') || text.startsWith('[') || type.endsWith('json')) return readJson(text);
  if (type.endsWith('xml')) return readXml(text);
  if (type === 'application/x-www-form-urlencoded' || type === '' || type === 'text/plain') return readForm(text);
  return refuse('body_unsupported', 'Send the lead as application/json, application/x-www-form-urlencoded or application/xml.');
}

function readJson(text: string): Record<string, unknown> | PostingRefusal {
  const shape = shapeOfJson(text);
  if (shape.depth > DEEPEST)
    return refuse('body_too_deep', 'The JSON is nested too deeply: a lead is one object with one value per field.');
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (losesDigits(value)) value = JSON.parse(text, keepDigits);
  } catch (error) {
    return refuse('body_malformed', `The body is not valid JSON${whereIn(error as Error)}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('body_malformed', 'The JSON body must be one object of field names and values.');
  }
  const repeated = shape.names > Object.keys(value).length ? findRepeatedName(text) : undefined;
  if (repeated !== undefined) return refuse('body_repeated_field', `The field ${repeated} is given twice.`, repeated);
  return Object.assign(Object.create(null), value);
}

/** A number beyond what a float holds exactly: an account number sent without quotes, say. */
function losesDigits(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((one) => typeof one === 'number' && Math.abs(one) > Number.MAX_SAFE_INTEGER);
}

/** Then every such number is kept as the text it was sent as. */
function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? (context?.source ?? value) : value;
}

/** Only the place is told: the text around it may be somebody's personal data. */
function whereIn(error: Error): string {
  const place = /position (\d+)/.exec(error.message);
  return place ? ` (position ${place[1]})` : '';
}

/**
 * JSON.parse keeps the last of two equal names in silence; this names the culprit. Only fields of the lead are looked at: an
 * object inside one is nothing a buyer is ever sent, so it is stored as JSON.parse reads it, beside the call as it came.
 */
function findRepeatedName(text: string): string | undefined {
  const seen = new Set<string>();
  let depth = 0;
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    const [whole, colon] = token;
    if (whole === '{' || whole === '[') depth += 1;
    else if (whole === '}' || whole === ']') depth -= 1;
    else if (colon !== undefined && depth === 1) {
      const name = JSON.parse(whole.slice(0, -colon.length)) as string;
      if (seen.has(name)) return name;
      seen.add(name);
    }
  }
  return undefined;
}

interface JsonShape {
  depth: number;
  /** Names at the top level, repeated ones counted each time. */
  names: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** One pass without allocating: this runs for every lead. What is no JSON at all may give any answer; JSON.parse refuses it. */
function shapeOfJson(text: string): JsonShape {
  let depth = 0;
  const shape: JsonShape = { depth: 0, names: 0 };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (depth === 1 && isColon(text, at + 1)) shape.names += 1;
    } else if (code === 0x7b || code === 0x5b) shape.depth = Math.max(shape.depth, ++depth);
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return shape;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function isColon(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === 0x3a;
}

function readForm(text: string): Record<string, unknown> | PostingRefusal {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in fields) return refuse('body_repeated_field', `The field ${name} is given twice.`, name);
    fields[name] = value;
  }
  return fields;
}

function readXml(text: string): Record<string, unknown> | PostingRefusal {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return refuse('body_entities', 'XML with a document type or entities is not accepted.');
  if (deepestXml(text) > DEEPEST)
    return refuse('body_too_deep', 'The XML is nested too deeply: a lead is one element with one element per field.');
  const read = parseXml(text);
  if (!read.ok) return refuse('body_malformed', `The body is not well-formed XML (position ${read.at}).`);
  if (read.trailing) return refuse('body_malformed', 'Something follows the end of the XML.');
  const wrong = [...text.matchAll(/&#(x[0-9a-f]{1,6}|\d{1,7});/gi)].find(([, code]) => !isCharacter(code!));
  if (wrong)
    return refuse('body_malformed', `The body holds a character reference that stands for no character (position ${wrong.index}).`);
  if (read.root.children.length === 0) return refuse('body_malformed', 'The XML must be one element with one element per field.');
  const fields = Object.create(null) as Record<string, unknown>;
  for (const element of read.root.children) {
    if (element.name in fields) return refuse('body_repeated_field', `The field ${element.name} is given twice.`, element.name);
    fields[element.name] = elementValue(element);
  }
  return fields;
}

function isCharacter(code: string): boolean {
  const value = /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code);
  return value > 0 && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
}

/** A field with elements below it is kept as it is structured; the vertical says that it is no single value. */
function elementValue(element: XmlElement): unknown {
  if (element.isNil) return null;
  if (element.children.length === 0) return element.text;
  return Object.fromEntries(element.children.map((child) => [child.name, elementValue(child)]));
}

function deepestXml(text: string): number {
  let depth = 0;
  let most = 0;
  for (const tag of text.matchAll(/<(\/?)[A-Za-z_][^<>]*?(\/?)>/g)) {
    if (tag[1]) depth -= 1;
    else if (!tag[2]) depth += 1;
    most = Math.max(most, depth);
  }
  return most;
}

function readControls(all: Record<string, unknown>): Posting | PostingRefusal {
  const { key, timeoutMs, test, pingId, format, campaignId, ...rest } = all;
  if (Object.keys(rest).length > MOST_FIELDS) return refuse('body_too_many_fields', `A lead has at most ${MOST_FIELDS} fields.`);
  const patience = readTimeout(timeoutMs);
  if (patience === undefined)
    return refuse('timeout_invalid', `timeoutMs must be a whole number of milliseconds from 1 to ${LONGEST_TIMEOUT_MS}.`, 'timeoutMs');
  for (const name of postingControls) {
    const value = all[name];
    if (value !== undefined && typeof value === 'object' && value !== null)
      return refuse('control_invalid', `${name} must be a single value.`, name);
  }
  if (format !== undefined && format !== '' && format !== 'json' && format !== 'xml')
    return refuse('format_unknown', 'format must be json or xml.', 'format');
  const asTest = readTest(test);
  if (asTest === undefined) return refuse('test_invalid', 'test must be true or false.', 'test');
  return {
    fields: rest,
    key: textOf(key),
    timeoutMs: patience,
    test: asTest,
    pingId: textOf(pingId),
    format: formatOf(format),
    campaignId: textOf(campaignId),
  };
}

/** A flag that decides over money is never guessed. */
function readTest(value: unknown): boolean | undefined {
  const text = String(value ?? '')
    .trim()
    .toLowerCase();
  if (['', 'false', '0', 'no'].includes(text)) return false;
  return ['true', '1', 'yes'].includes(text) ? true : undefined;
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value).trim();
}

function readTimeout(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return DEFAULT_TIMEOUT_MS;
  const number = typeof value === 'number' ? value : /^\d{1,6}$/.test(String(value)) ? Number(value) : Number.NaN;
  return Number.isInteger(number) && number >= 1 && number <= LONGEST_TIMEOUT_MS ? number : undefined;
}
