/** Templates: text with `{{field}}`, `{{system.leadId}}`, `{{capture.pingId}}`, `{{secret.password}}` and `{{field | format:argument}}`. Logic-less. */

import { systemNames } from './endpoint.system.ts';
import type { Formatter, SystemName } from './endpoint.ts';

/** Where a placeholder's value comes from. */
export type PlaceholderSource =
  | { kind: 'field'; field: string }
  | { kind: 'system'; name: SystemName }
  | { kind: 'capture'; name: string }
  | { kind: 'secret'; name: string };
export interface Placeholder {
  from: PlaceholderSource;
  format: Formatter[];
}
export type TemplatePart = string | Placeholder;
export type ParsedTemplate = { ok: true; parts: TemplatePart[] } | { ok: false; problem: string };

/** Splits into literal text and placeholders; anything between double braces that is not a placeholder is a problem. */
export function parseTemplate(text: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open < 0) return { ok: true, parts: [...parts, ...literal(text.slice(at))] };
    const close = text.indexOf('}}', open);
    if (close < 0) return { ok: false, problem: `The placeholder at position ${open + 1} is not closed.` };
    const placeholder = parsePlaceholder(text.slice(open + 2, close));
    if (typeof placeholder === 'string') return { ok: false, problem: placeholder };
    parts.push(...literal(text.slice(at, open)), placeholder);
    at = close + 2;
  }
}

/** For templates that have been validated before; throws on others. */
export function getTemplate(text: string): TemplatePart[] {
  const parsed = parseTemplate(text);
  if (!parsed.ok) throw new Error(`endpoint_template_unreadable: ${parsed.problem}`);
  return parsed.parts;
}

function literal(text: string): string[] {
  return text === '' ? [] : [text];
}

function parsePlaceholder(inside: string): Placeholder | string {
  const [name = '', ...words] = inside.split('|').map((word) => word.trim());
  const from = parseSource(name);
  if (typeof from === 'string') return from;
  const format: Formatter[] = [];
  for (const word of words) {
    const formatter = parseFormatter(word);
    if (!formatter) return `"${word}" is not a format.`;
    format.push(formatter);
  }
  return { from, format };
}

function parseSource(name: string): PlaceholderSource | string {
  const found = /^(?:(system|capture|secret)\.)?([A-Za-z_]\w{0,63})$/.exec(name);
  const word = found?.[2];
  if (!found || !word) return `"${name.slice(0, 40)}" is not a placeholder.`;
  if (found[1] === 'capture') return { kind: 'capture', name: word };
  if (found[1] === 'secret') return { kind: 'secret', name: word };
  if (found[1] !== 'system') return { kind: 'field', field: word };
  const system = systemNames.find((known) => known === word);
  return system ? { kind: 'system', name: system } : `"${word}" is not a system value.`;
}

function parseFormatter(word: string): Formatter | undefined {
  const colon = word.indexOf(':');
  const name = colon < 0 ? word : word.slice(0, colon).trim();
  const argument = colon < 0 ? undefined : word.slice(colon + 1).trim();
  return argument === undefined ? plainFormatter(name) : formatterWithArgument(name, argument);
}

function plainFormatter(name: string): Formatter | undefined {
  switch (name) {
    case 'upper':
    case 'lower':
    case 'title':
      return { kind: 'case', to: name };
    case 'digits':
    case 'trim':
    case 'ascii':
    case 'cents':
      return { kind: name };
    case 'price':
      return { kind: 'price', decimals: 2 };
    case 'md5':
    case 'sha1':
    case 'sha256':
      return { kind: 'hash', algorithm: name };
    default:
      return undefined;
  }
}

function formatterWithArgument(name: string, argument: string): Formatter | undefined {
  if (name === 'date' && argument !== '') return { kind: 'date', pattern: argument };
  if (name === 'phone' && argument !== '') return { kind: 'phone', pattern: argument };
  if ((name === 'price' || name === 'number') && /^[0-4]$/.test(argument)) return { kind: name, decimals: Number(argument) };
  if (name === 'boolean') return booleanWords(argument);
  if (name === 'slice') return slice(argument);
  return undefined;
}

function booleanWords(argument: string): Formatter | undefined {
  const [yes, no, ...rest] = argument.split('/');
  return yes !== undefined && no !== undefined && rest.length === 0 ? { kind: 'boolean', yes, no } : undefined;
}

function slice(argument: string): Formatter | undefined {
  const found = /^(-?\d{1,3})(?:\s*,\s*(\d{1,3}))?$/.exec(argument);
  if (!found) return undefined;
  return { kind: 'slice', from: Number(found[1]), ...(found[2] === undefined ? {} : { length: Number(found[2]) }) };
}
