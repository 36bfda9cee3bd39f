/** An endpoint while it is written: plain JSON, in which the editor changes what it knows and leaves alone what it does not. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export type LegName = 'ping' | 'post';
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
  return leg === undefined ? rest : name === 'ping' ? { ping: leg, ...rest } : { ...rest, post: leg };
};

export const mappingOf = (leg: Leg): MappingLine[] => listAt(objectAt(leg.body).mapping).filter(isObject) as MappingLine[];
export const setMapping = (leg: Leg, mapping: MappingLine[]): Leg => ({ ...leg, body: { ...objectAt(leg.body), mapping } });
export const formatOf = (leg: Leg): string => String(objectAt(leg.body).format ?? 'json');

/** Another format keeps the rows; what only the old one knew falls away. */
export function setFormat(leg: Leg, format: string): Leg {
  if (format === 'text') return { ...leg, body: { format, template: '', escape: 'none' } };
  return { ...leg, body: { format, mapping: mappingOf(leg) } };
}

export const responseOf = (leg: Leg): JsonObject => objectAt(leg.response);
export const outcomesOf = (leg: Leg): OutcomeLine[] => listAt(responseOf(leg).outcomes).filter(isObject) as unknown as OutcomeLine[];
export const setResponse = (leg: Leg, part: JsonObject): Leg => ({ ...leg, response: { ...responseOf(leg), ...part } });
export const setOutcomes = (leg: Leg, outcomes: OutcomeLine[]): Leg => setResponse(leg, { outcomes: outcomes as unknown as Json });

/** The first path of a rule such as price, redirect or reasons; '' when there is none, or it looks elsewhere. */
export function pathOf(leg: Leg, rule: 'price' | 'redirect' | 'reasons'): string {
  const found = responseOf(leg)[rule];
  const first = listAt(rule === 'reasons' ? found : objectAt(found).at)[0];
  return isObject(first) && typeof first.path === 'string' ? first.path : '';
}

export function setPath(leg: Leg, rule: 'price' | 'redirect' | 'reasons', path: string): Leg {
  const { [rule]: old, ...rest } = responseOf(leg);
  if (path === '') return { ...leg, response: rest };
  const at = [{ path }];
  return setResponse(leg, { [rule]: rule === 'reasons' ? at : { ...objectAt(old), at } });
}

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

/** Fields of the vertical that no row sends yet, each under its own name. */
export function addMissing(mapping: MappingLine[], fieldNames: readonly string[]): MappingLine[] {
  const sent = new Set(mapping.flatMap((row) => (row.from.kind === 'field' ? [String(row.from.field)] : [])));
  return [...mapping, ...fieldNames.filter((name) => !sent.has(name)).map((name) => ({ to: name, from: { kind: 'field', field: name } }))];
}

/** Where a condition looks, as one text: 'path:result', 'status', 'body' or 'header:x-result'; null when only JSON can say it. */
export function placeText(at: JsonObject): string | null {
  if (typeof at.path === 'string') return `path:${at.path}`;
  if (typeof at.header === 'string' && at.pattern === undefined) return `header:${at.header}`;
  return typeof at.part === 'string' ? at.part : null;
}

export function readPlace(kind: string, name: string): JsonObject {
  if (kind === 'path') return { path: name };
  return kind === 'header' ? { header: name } : { part: kind };
}
