/** Where values of an answer stand, and how they are meant: the rules of a leg's response that the editor shows as rows. */
import { type Json, type JsonObject, type Leg, objectAt, responseOf } from './endpoint-draft.ts';

/** `reference` is the capture that becomes the sale's reference at the buyer. */
export type AnswerRule = 'price' | 'expiry' | 'retryAfter' | 'redirect' | 'reasons' | 'reference';

/** The capture the engine takes the buyer's reference from. */
export const REFERENCE = 'buyerRef';
/** What a rule needs beside its places as soon as it has one. */
const BEGINS: Partial<Record<AnswerRule, JsonObject>> = { expiry: { unit: 'seconds' }, retryAfter: { unit: 'seconds' } };

const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.map((one) => objectAt(one)) : []);

const storedRule = (leg: Leg, rule: AnswerRule): Json | undefined =>
  rule === 'reference' ? objectAt(responseOf(leg).captures)[REFERENCE] : responseOf(leg)[rule];

/** The places that are looked at, the first that holds something wins. */
export const placesOf = (leg: Leg, rule: AnswerRule): JsonObject[] =>
  rule === 'reasons' ? objects(storedRule(leg, rule)) : objects(objectAt(storedRule(leg, rule)).at);

/** What the rule says beside its places, such as the unit of a price. */
export function partsOf(leg: Leg, rule: AnswerRule): JsonObject {
  if (rule === 'reasons') return {};
  const { at: _, ...parts } = objectAt(storedRule(leg, rule));
  return parts;
}

export function setPlaces(leg: Leg, rule: AnswerRule, places: JsonObject[]): Leg {
  if (rule === 'reasons') return store(leg, rule, places.length === 0 ? undefined : places);
  const parts = partsOf(leg, rule);
  if (places.length > 0) return store(leg, rule, { at: places, ...(placesOf(leg, rule).length === 0 && BEGINS[rule]), ...parts });
  // A redirect may be made of a template alone; every other rule is nothing without a place.
  return store(leg, rule, rule === 'redirect' && parts.template ? parts : undefined);
}

/** Parts that are undefined or empty leave no trace. */
export function setParts(leg: Leg, rule: Exclude<AnswerRule, 'reasons'>, change: { [name: string]: Json | undefined }): Leg {
  const parts = Object.fromEntries(
    Object.entries({ ...partsOf(leg, rule), ...change }).filter(
      (entry): entry is [string, Json] => entry[1] !== undefined && entry[1] !== '',
    ),
  );
  const at = placesOf(leg, rule);
  if (at.length > 0) return store(leg, rule, { at, ...parts });
  return store(leg, rule, Object.keys(parts).length === 0 ? undefined : parts);
}

function store(leg: Leg, rule: AnswerRule, value: Json | undefined): Leg {
  const response = responseOf(leg);
  if (rule !== 'reference') return { ...leg, response: put(response, rule, value) };
  const captures = put(objectAt(response.captures), REFERENCE, value);
  return { ...leg, response: put(response, 'captures', Object.keys(captures).length === 0 ? undefined : captures) };
}

function put(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  const { [name]: old, ...rest } = object;
  if (value === undefined) return rest;
  return old === undefined ? { ...rest, [name]: value } : { ...object, [name]: value };
}

/** A list of bids; `atLeast` as it is typed, '' for any. Undefined where the answer names one price. */
export interface BidList {
  list: string;
  price: string;
  takesAll: boolean;
  atLeast: string;
}

export function bidsOf(leg: Leg): BidList | undefined {
  const { bids } = responseOf(leg);
  if (bids === undefined) return undefined;
  const { list = '', price = '', take, atLeast = '' } = objectAt(bids);
  return { list: String(list), price: String(price), takesAll: take === 'all', atLeast: String(atLeast) };
}

/** What is as it is without being said is left out, and captures beside a bid stay. */
export function setBids(leg: Leg, bids: Partial<BidList> | undefined): Leg {
  if (!bids) return { ...leg, response: put(responseOf(leg), 'bids', undefined) };
  const { list = '', price = '', takesAll = false, atLeast = '' } = bids;
  const { take: _take, atLeast: _least, ...kept } = objectAt(responseOf(leg).bids);
  const told = { ...kept, list, price, ...(takesAll && { take: 'all' }), ...(atLeast !== '' && { atLeast }) };
  return { ...leg, response: put(responseOf(leg), 'bids', told) };
}

/** "Content-Type: text/xml", a header a line, as people copy them; a line without a colon is left out. */
export function readHeaders(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).map((line) => /^\s*([^\s:]{1,100}):\s*(.*?)\s*$/.exec(line));
  return Object.fromEntries(lines.flatMap((found) => (found ? [[found[1]!, found[2]!.slice(0, 4000)]] : [])));
}
