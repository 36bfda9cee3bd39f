/** Masks every personal value of one lead wherever it stands in a text, so that a log can be read without reading the person. */
import type { FieldConfig } from '#engine/plan.ts';
import { DOTS, isMasked, type MaskedField, maskPersonal, type PersonalValue } from './mask.ts';
import { type Folded, fold, type Layer, layersOf, skeletonOf } from './mask-fold.ts';
import { amountSpellings, calendarDates, isCommon, LONGEST_NEEDLE, type Needle, nationalDigits, needlesOf } from './mask-needle.ts';

export interface Masking {
  /** Any text: finds values inside it. */
  text(text: string): string;
  /** One whole value of a document: also found when it is too short to be looked for inside a text. */
  leaf(text: string): string;
  /** One whole value of what we sent: also found in slices, such as an area code. */
  sentLeaf(text: string): string;
  /** The name of a field: plain words stay, for a buyer's "price" is not Mr. Price. */
  name(text: string): string;
}

const same = (text: string): string => text;
/** Hides nothing: for who may see a person's values, and is written down for it. */
export const NO_MASKING: Masking = { text: same, leaf: same, sentLeaf: same, name: same };

/** So many comparisons for all texts of a lead; nobody's lead needs a hundredth of it. What comes after it is not shown. */
const MOST_WORK = 8_000_000;
/** So many needles are looked for; a posting that holds more is no person, and no text of it is shown. */
const MOST_NEEDLES = 5_000;
const HEADS = 4096;
/** Signs between two characters of one value: ") - " is the longest in use. */
const WIDEST_GAP = 4;
/** A value that a text breaks off in is known by so many characters. */
const SHORTEST_STUMP = 6;

interface Search {
  heads: (Needle[] | undefined)[];
  /** The skeletons that are found however they are spaced and wherever they stand: another needle for them adds nothing. */
  loose: Set<string>;
  needles: number;
  leaves: Map<string, string>;
  open: Set<string>;
  pieces: string[];
  work: number;
}

/** `open`: values of classes P0 and P1, which stay readable where they happen to equal a personal one. */
export function openMasking(personal: PersonalValue[], open: { field: FieldConfig; value: string }[] = []): Masking {
  const search: Search = {
    heads: new Array(HEADS),
    loose: new Set(),
    needles: 0,
    leaves: new Map(),
    open: openSkeletons(open),
    pieces: [],
    work: 0,
  };
  learnAll(search, personal);
  return {
    text: (text) => maskText(search, text, false),
    leaf: remembered((text) => maskLeaf(search, text) ?? maskText(search, text, false)),
    sentLeaf: remembered((text) => maskLeaf(search, text) ?? maskPiece(search, text) ?? maskText(search, text, false)),
    name: remembered((text) => maskText(search, text, true)),
  };
}

/** The same names and values go to every buyer. */
function remembered(mask: (text: string) => string): (text: string) => string {
  const kept = new Map<string, string>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const masked = mask(text);
    kept.set(text, masked);
    return masked;
  };
}

const CLOSED_TYPES = new Set<FieldConfig['type']>(['state', 'zip', 'choice', 'boolean', 'number', 'integer', 'money']);
const LONGEST_OPEN = 7;

/** Only what cannot be an e-mail, a name or a phone number in the wrong place. */
function openSkeletons(open: { field: FieldConfig; value: string }[]): Set<string> {
  const closed = open.filter(({ field }) => !isMasked(field) && CLOSED_TYPES.has(field.type));
  return new Set(
    closed.filter(({ field, value }) => field.type === 'choice' || value.length <= LONGEST_OPEN).map(({ value }) => skeletonOf(value)),
  );
}

function isMaskable({ value }: PersonalValue, search: Search): boolean {
  const skeleton = skeletonOf(value);
  return !isCommon(skeleton) && !search.open.has(skeleton);
}

/** What is not learned cannot be found, so then every text counts as too long to search. */
function learnAll(search: Search, personal: PersonalValue[]): void {
  for (const one of personal) {
    if (isMaskable(one, search)) learn(search, one);
    if (search.needles <= MOST_NEEDLES) continue;
    search.work = MOST_WORK + 1;
    return;
  }
}

function learn(search: Search, personal: PersonalValue): void {
  const { field, value } = personal;
  for (const key of leafKeys(field, value)) if (!search.leaves.has(key)) search.leaves.set(key, maskPersonal(field, value));
  for (const needle of needlesOf(personal)) addNeedle(search, needle);
  const digits = nationalDigits(value) ?? value.replace(/[\s-]/g, '');
  if (/^\d{9,}$/.test(digits) || calendarDates(value).length > 0) search.pieces.push(digits.replace(/\D/g, ''));
}

function addNeedle(search: Search, needle: Needle): void {
  if (search.loose.has(needle.skeleton)) return;
  if (needle.loose && needle.separators === 0 && !needle.wholeWord) search.loose.add(needle.skeleton);
  const head = headOf(needle.skeleton.charCodeAt(0), needle.skeleton.charCodeAt(1));
  const bucket = search.heads[head];
  if (bucket) bucket.push(needle);
  else search.heads[head] = [needle];
  search.needles += 1;
}

function headOf(first: number, second: number): number {
  return (first * 37 + second) & (HEADS - 1);
}

/** Short numbers are compared as they are written: 20 is not 20.00. */
function leafKey(text: string): string {
  const skeleton = skeletonOf(text);
  return /^\d{1,6}$/.test(skeleton) ? text.trim() : skeleton;
}

function leafKeys(field: MaskedField, value: string): string[] {
  const isAmount = field?.type === 'money' || field?.type === 'number' || field?.type === 'integer';
  return [value, ...(isAmount ? amountSpellings(value) : [])].map(leafKey);
}

/** A value may itself hold what reads as an escape ("100%20off"), so it is looked for in every layer. */
function maskLeaf(search: Search, text: string): string | undefined {
  const layers = layersOf(text);
  for (const layer of layers) {
    const mask = search.leaves.get(leafKey(layer.text));
    if (mask !== undefined) return mask;
  }
  const skeleton = skeletonOf(layers.at(-1)!.text);
  return skeleton === '' || search.open.has(skeleton) ? text : undefined;
}

/** Area codes, parts of a social security number, the year of birth. */
function maskPiece(search: Search, text: string): string | undefined {
  return /^\d{3,}$/.test(text) && search.pieces.some((piece) => piece.includes(text)) ? DOTS : undefined;
}

interface Span {
  start: number;
  end: number;
  mask: string;
}

function maskText(search: Search, text: string, isName: boolean): string {
  const spans = layersOf(text).flatMap((layer) => findSpans(search, layer, isName));
  if (search.work > MOST_WORK) return `${DOTS} (${text.length} characters that would take too long to mask)`;
  return spans.length === 0 ? text : replaceSpans(text, spans);
}

function findSpans(search: Search, layer: Layer, isName: boolean): Span[] {
  const folded = fold(layer.text);
  const spans: Span[] = [];
  for (let at = 0; at + 1 < folded.length && search.work <= MOST_WORK; at++) {
    for (const needle of search.heads[headOf(folded.codes[at]!, folded.codes[at + 1]!)] ?? []) {
      if (isName && needle.plainWord) continue;
      const last = matchAt(search, layer.text, folded, at, needle);
      if (last >= 0) spans.push(spanOf(layer, folded.starts[at]!, folded.ends[last]!, needle.mask));
    }
  }
  return spans;
}

function spanOf(layer: Layer, start: number, end: number, mask: string): Span {
  return { start: layer.starts ? layer.starts[start]! : start, end: layer.ends ? layer.ends[end - 1]! : end, mask };
}

/** The last character of the value that begins at `at`, or -1. */
function matchAt(search: Search, text: string, folded: Folded, at: number, needle: Needle): number {
  const { skeleton } = needle;
  let matched = 0;
  let separators = 0;
  while (matched < skeleton.length && at + matched < folded.length && folded.codes[at + matched] === skeleton.charCodeAt(matched)) {
    const gap = matched === 0 ? 0 : folded.starts[at + matched]! - folded.ends[at + matched - 1]!;
    if (gap > 0 && !mayGap(needle, matched, gap)) break;
    if (gap > 0) separators += 1;
    matched += 1;
  }
  search.work += matched + 1;
  const isWhole = matched === skeleton.length || matched >= LONGEST_NEEDLE;
  const isStump = at + matched === folded.length && matched >= SHORTEST_STUMP && needle.separators === 0;
  if ((!isWhole && !isStump) || separators < needle.separators) return -1;
  const last = at + matched - 1;
  return needle.wholeWord && !isWholeWord(text, folded, at, last) ? -1 : last;
}

function mayGap(needle: Needle, at: number, gap: number): boolean {
  const own = needle.gapBefore[at] ?? 0;
  return gap <= Math.max(WIDEST_GAP, own) && (needle.loose || at >= LONGEST_NEEDLE || own > 0);
}

function isWholeWord(text: string, folded: Folded, first: number, last: number): boolean {
  const before = first > 0 && goesOn(text, folded, first - 1);
  const after = last + 1 < folded.length && goesOn(text, folded, last);
  return !before && !after;
}

/** Two letters or two digits in a row, or digits around a decimal point or comma. */
function goesOn(text: string, folded: Folded, at: number): boolean {
  const [end, start] = [folded.ends[at]!, folded.starts[at + 1]!];
  const areDigits = [at, at + 1].map((one) => isDigit(folded.codes[one]!));
  if (start <= end) return areDigits[0] === areDigits[1];
  return start === end + 1 && areDigits[0]! && areDigits[1]! && (text[end] === '.' || text[end] === ',') && isAmountTail(folded, at + 1);
}

/** "12.03.1985" is no amount, "1200.50" is one. */
function isAmountTail(folded: Folded, at: number): boolean {
  let end = at;
  while (end < folded.length && isDigit(folded.codes[end]!) && (end === at || folded.starts[end] === folded.ends[end - 1])) end += 1;
  return end - at <= 3;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Values that overlap are hidden together, under the mask of the longest. */
function replaceSpans(text: string, spans: Span[]): string {
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  let masked = '';
  let done = 0;
  for (let at = 0; at < spans.length; ) {
    let [{ end }, longest] = [spans[at]!, spans[at]!];
    const { start } = longest;
    for (at += 1; at < spans.length && spans[at]!.start < end; at++) {
      const next = spans[at]!;
      end = Math.max(end, next.end);
      if (next.end - next.start > longest.end - longest.start) longest = next;
    }
    masked += text.slice(done, start) + longest.mask;
    done = end;
  }
  return masked + text.slice(done);
}
