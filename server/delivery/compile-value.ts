/** From a value source to the text that is sent: where it comes from, formatted, mapped. Prepared once per leg. */

import { getTemplate, type Placeholder, type PlaceholderSource } from '#contract/endpoint.template.ts';
import type { MappingRow, SystemName, ValueMap, ValueSource } from '#contract/endpoint.ts';
import { formatMoney } from '#engine/money.ts';
import { compileFormatters, toAscii } from './format-value.ts';
import type { BuildInput, WarningCode, WireWarning } from './wire.ts';

/** A build in the making: what it is built from and what there is to say about it. */
export interface Building {
  input: BuildInput;
  warnings: WireWarning[];
  asciiOnly: boolean;
}
export type Value = (building: Building) => string;
export type Escape = (text: string, onDrop?: () => void) => string;

export function compileRow(row: MappingRow): Value {
  return finish(compileSource(row.from), row.to, row.format ?? [], row.map);
}

/** Literal parts stay as they are, every placeholder goes through `encode`. */
export function compileTemplate(text: string, encode: Escape): Value {
  const parts = getTemplate(text).map((part) => (typeof part === 'string' ? part : compilePlaceholder(part, encode)));
  if (parts.length === 1 && typeof parts[0] === 'string') return constant(parts[0]);
  return (building) => {
    let result = '';
    for (const part of parts) result += typeof part === 'string' ? part : part(building);
    return result;
  };
}

function compilePlaceholder(placeholder: Placeholder, encode: Escape): Value {
  const name = 'field' in placeholder.from ? placeholder.from.field : placeholder.from.name;
  const value = finish(compileNamed(placeholder.from), name, placeholder.format, undefined);
  return (building) => encode(value(building), () => building.warnings.push({ code: 'character-dropped', at: name }));
}

function constant(text: string): Value {
  return () => text;
}

function compileSource(source: ValueSource): Value {
  if (source.kind === 'constant') return constant(source.value);
  if (source.kind === 'template') return compileTemplate(source.text, (text) => text);
  return compileNamed(source);
}

function compileNamed(source: PlaceholderSource): Value {
  switch (source.kind) {
    case 'field':
      return ({ input }) => textOf(Object.hasOwn(input.lead, source.field) ? input.lead[source.field] : undefined);
    case 'system':
      return ({ input }) => systemText(source.name, input);
    case 'capture':
      return ({ input: { call } }) => (call.captures && Object.hasOwn(call.captures, source.name) ? call.captures[source.name]! : '');
    case 'secret':
      return (building) => secretText(source.name, building);
  }
}

function finish(source: Value, at: string, formatters: readonly MappingRowFormat[], map: ValueMap | undefined): Value {
  const format = formatters.length > 0 ? compileFormatters(formatters) : undefined;
  const lookUp = map && compileMap(map);
  return (building) => {
    const warn = (code: WarningCode) => void building.warnings.push({ code, at });
    let text = source(building);
    if (format) text = format(text, warn);
    if (lookUp) text = lookUp(text, warn);
    return building.asciiOnly ? toAscii(text) : text;
  };
}
type MappingRowFormat = NonNullable<MappingRow['format']>[number];

function compileMap(map: ValueMap): (text: string, warn: (code: WarningCode) => void) => string {
  const known = new Map(Object.entries(map.values).map(([from, to]) => [from.trim().toLowerCase(), to]));
  return (text, warn) => {
    const found = known.get(text.trim().toLowerCase());
    if (found !== undefined) return found;
    if (text === '' && map.otherwise === undefined) return '';
    warn(map.otherwise === undefined ? 'unmapped-value' : 'mapped-otherwise');
    return map.otherwise ?? text;
  };
}

/** null, undefined and '' are the same: empty. */
export function textOf(value: BuildInput['lead'][string]): string {
  return value === null || value === undefined ? '' : String(value);
}

function secretText(name: string, building: Building): string {
  const secrets = building.input.context.secrets;
  if (secrets && Object.hasOwn(secrets, name)) return secrets[name]!;
  building.warnings.push({ code: 'unknown-secret', at: name });
  return '';
}

/** The spec's keys (console §3) beside ours; a password is the secret of that name. */
function systemText(name: SystemName, { context, call }: BuildInput): string {
  switch (name) {
    case 'leadId':
    case 'lead_id':
      return context.leadId;
    case 'subId':
    case 'sub_id':
    case 'publisherTierSubId':
      return context.subId ?? '';
    case 'affiliateId':
    case 'publisherAffliateId':
      return context.affiliateId ?? '';
    case 'campaign':
    case 'campaignName':
      return context.campaignName ?? '';
    case 'price':
    case 'bid':
      return call.price === undefined ? '' : formatMoney(call.price);
    case 'minimumPrice':
      return context.minimumPrice === undefined ? '' : formatMoney(context.minimumPrice);
    case 'maxSales':
      return context.maxSales === undefined ? '' : String(context.maxSales);
    case 'winningPrice':
      return context.winningPrice === undefined ? '' : formatMoney(context.winningPrice);
    case 'timestamp':
      return new Date(context.now).toISOString();
    case 'timeoutMs':
      return String(call.timeoutMs);
    case 'currency':
      return context.currency ?? '';
    case 'test':
      return String(context.test ?? false);
    case 'leg':
      return call.leg;
    case 'username':
      return context.username ?? '';
    case 'password':
      return context.secrets?.password ?? '';
    case 'hard_code':
      return context.hardCode ?? '';
  }
}
