/** An endpoint while it is written: plain JSON, in which the editor changes what it knows and leaves alone what it does not. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
/** `lost`: the notice to a buyer that was outbid, whose answer is not read. */
export type LegName = 'ping' | 'post' | 'lost';
export type Leg = JsonObject;

export interface MappingLine {
  to: string;
  from: JsonObject;
  [more: string]: Json;
}

export interface OutcomeLine {
  outcome: string;
  when: JsonObject[];
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
export const objectAt = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const listAt = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** Undefined while it is no JSON object. */
export function readEndpoint(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
export const writeEndpoint = (endpoint: JsonObject): string => JSON.stringify(endpoint, null, 2);

export const legOf = (endpoint: JsonObject, name: LegName): Leg | undefined =>
  isObject(endpoint[name]) ? (endpoint[name] as Leg) : undefined;
export const setLeg = (endpoint: JsonObject, name: LegName, leg: Leg | undefined): JsonObject => {
  const { [name]: _, ...rest } = endpoint;
  // The ping before the post, as it happens.
  return leg === undefined ? rest : name === 'ping' ? { ping: leg, ...rest } : { ...rest, [name]: leg };
};

export const rowsAt = (value: Json | undefined): MappingLine[] => listAt(value).filter(isObject) as MappingLine[];
export const mappingOf = (leg: Leg): MappingLine[] => rowsAt(objectAt(leg.body).mapping);
export const setMapping = (leg: Leg, mapping: MappingLine[]): Leg => ({ ...leg, body: { ...objectAt(leg.body), mapping } });
export const formatOf = (leg: Leg): string => String(objectAt(leg.body).format ?? 'json');

/** Another format keeps the rows; what only the old one knew falls away. */
export function setFormat(leg: Leg, format: string): Leg {
  const was = formatOf(leg);
  if (format === was) return leg;
  if (format === 'mail') return mailLeg(leg);
  const { sign, ...rest } = was === 'mail' ? { ...leg, url: '', response: newLeg().response! } : leg;
  // What has no body cannot be signed.
  const next: Leg = sign === undefined || format === 'query' ? rest : { ...rest, sign };
  return { ...next, body: bodyOf(leg, format) };
}

function bodyOf(leg: Leg, format: string): JsonObject {
  const { wrap } = objectAt(leg.body);
  if (format === 'text') return { format, template: '', escape: 'none' };
  if (format === 'soap') return { format, version: '1.1', action: '', operation: '', namespace: '', mapping: mappingOf(leg) };
  const isDocument = format === 'json' || format === 'xml';
  return { format, mapping: mappingOf(leg), ...(isDocument && wrap !== undefined && { wrap }) };
}

/** To an address, by our own mail server, whose acceptance is the sale unless another rule is written. */
function mailLeg(leg: Leg): Leg {
  const { url: _url, headers: _headers, auth: _auth, sign: _sign, followRedirects: _follow, retryUnsent: _retry, ...rest } = leg;
  return {
    url: 'mailto:',
    ...rest,
    method: 'POST',
    body: { format: 'mail', subject: 'Lead {{system.leadId}}', text: '', mapping: [] },
    response: {
      outcomes: [{ outcome: 'accepted', when: [{ at: { part: 'status' }, is: 'equal', value: 250 }] }],
      otherwise: 'rejected',
      reasons: [{ part: 'body' }],
    },
  };
}

export const responseOf = (leg: Leg): JsonObject => objectAt(leg.response);
export const outcomesOf = (leg: Leg): OutcomeLine[] => listAt(responseOf(leg).outcomes).filter(isObject) as unknown as OutcomeLine[];
export const setResponse = (leg: Leg, part: JsonObject): Leg => ({ ...leg, response: { ...responseOf(leg), ...part } });
/** `auto` leaves no trace; a separator belongs to separated values. */
export function setRead(leg: Leg, read: string): Leg {
  const { read: _, delimiter, ...rest } = responseOf(leg);
  if (read === 'auto') return { ...leg, response: rest };
  return { ...leg, response: { ...rest, read, ...(read === 'delimited' && { delimiter: delimiter ?? ',' }) } };
}
export const setOutcomes = (leg: Leg, outcomes: OutcomeLine[]): Leg => setResponse(leg, { outcomes: outcomes as unknown as Json });

/** A new leg: JSON, no field yet, accepted where `status` says so. */
export const newLeg = (): Leg => ({
  url: '',
  method: 'POST',
  body: { format: 'json', mapping: [] },
  response: {
    outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'status' }, is: 'equal', value: 'accepted' }] }],
    otherwise: 'rejected',
  },
});

/** A new loss notice: the buyer's own reference where it gave one, and that it lost. */
export const newNotice = (): Leg => ({
  url: '',
  method: 'POST',
  body: {
    format: 'json',
    mapping: [
      { to: 'lead_id', from: { kind: 'system', name: 'leadId' } },
      { to: 'result', from: { kind: 'constant', value: 'lost' } },
    ],
  },
});

/** Fields of the vertical that no row sends yet, each under its own name. */
export function addMissing(mapping: MappingLine[], fieldNames: readonly string[]): MappingLine[] {
  const sent = new Set(mapping.flatMap((row) => (row.from.kind === 'field' ? [String(row.from.field)] : [])));
  return [...mapping, ...fieldNames.filter((name) => !sent.has(name)).map((name) => ({ to: name, from: { kind: 'field', field: name } }))];
}

export type PlaceKind = 'path' | 'status' | 'header' | 'body' | 'pattern';

/** Where a condition looks: what kind of place, and its name (a path, a header, an expression). */
export function placeOf(at: JsonObject): { kind: PlaceKind; name: string } {
  if (typeof at.path === 'string') return { kind: 'path', name: at.path };
  if (typeof at.header === 'string') return { kind: 'header', name: at.header };
  if (typeof at.pattern === 'string') return { kind: 'pattern', name: at.pattern };
  return { kind: at.part === 'body' ? 'body' : 'status', name: '' };
}

/** The place with another kind or name; what a header's expression and group say stays while it is that header. */
export function setPlace(at: JsonObject, kind: PlaceKind, name: string): JsonObject {
  if (kind === 'status' || kind === 'body') return { part: kind };
  return placeOf(at).kind === kind ? { ...at, [kind]: name } : { [kind]: name };
}

/** Comparisons and what they need beside the place. */
export type Comparison = 'equal' | 'notEqual' | 'in' | 'contains' | 'matches' | 'atLeast' | 'present' | 'absent' | 'true' | 'false';
const operands: Record<Comparison, 'value' | 'values' | 'pattern' | null> = {
  equal: 'value',
  notEqual: 'value',
  in: 'values',
  contains: 'value',
  matches: 'pattern',
  atLeast: 'value',
  present: null,
  absent: null,
  true: null,
  false: null,
};
export const operandOf = (is: string) => operands[is as Comparison] ?? null;
/** Texts may be compared with their case. */
export const knowsCase = (is: string) => ['equal', 'notEqual', 'in', 'contains'].includes(is);

/** What a condition compares with, as it is shown; several values of `in` apart. */
export function operandText(condition: JsonObject): string[] {
  if (Array.isArray(condition.values)) return condition.values.map(String);
  const one = condition.value ?? condition.pattern;
  return one === undefined || one === null ? [] : [String(one)];
}

/** The condition with another comparison or operand; what it was compared with goes along. A number stays a text while it is typed, until the field is `left`. */
export function setComparison(condition: JsonObject, is: string, texts = operandText(condition), left = false): JsonObject {
  const operand = operandOf(is);
  const caseSensitive = knowsCase(is) && condition.caseSensitive === true ? { caseSensitive: true } : {};
  const base: JsonObject = { at: condition.at!, is, ...caseSensitive };
  if (operand === null) return base;
  if (operand === 'values') return { ...base, values: texts };
  const text = texts[0] ?? '';
  const isNumber = is === 'atLeast' && text.trim() !== '' && (left ? Number.isFinite(Number(text)) : String(Number(text)) === text);
  return { ...base, [operand]: isNumber ? Number(text) : text };
}

/** A condition on the value at a path not named yet. */
export const newCondition = (): JsonObject => ({ at: { path: '' }, is: 'equal', value: '' });

/** One that is off leaves no trace. */
export function setSwitch(leg: Leg, name: 'asciiOnly' | 'followRedirects' | 'retryUnsent', on: boolean): Leg {
  const { [name]: _, ...rest } = leg;
  return on ? { ...rest, [name]: true } : rest;
}

/** Headers by name; none leaves no trace. */
export function setHeaders(leg: Leg, headers: Record<string, string>): Leg {
  const { headers: _, ...rest } = leg;
  return Object.keys(headers).length === 0 ? rest : { ...rest, headers };
}

/** The one text each of a leg's captures reads at; captures that look in several places or elsewhere are not among them. */
export function capturePaths(leg: Leg): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectAt(responseOf(leg).captures)).flatMap(([name, rule]) => {
      const path = simplePath(name, rule);
      return path === undefined ? [] : [[name, path]];
    }),
  );
}

export function setCapturePaths(leg: Leg, paths: Record<string, string>): Leg {
  const { captures: old, ...rest } = responseOf(leg);
  const others = Object.entries(objectAt(old)).filter(([name, rule]) => simplePath(name, rule) === undefined);
  const captures = {
    ...Object.fromEntries(others),
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { at: [{ path }] }])),
  };
  return { ...leg, response: Object.keys(captures).length === 0 ? rest : { ...rest, captures } };
}

/** The buyer's reference has a row of its own (answer-rules.ts). */
function simplePath(name: string, rule: Json | undefined): string | undefined {
  if (name === 'buyerRef') return undefined;
  const { at, ...more } = objectAt(rule);
  const [first, second] = listAt(at);
  const path = objectAt(first).path;
  return second === undefined && Object.keys(more).length === 0 && typeof path === 'string' ? path : undefined;
}
