/**
 * Text as a search for a person should see it: letters without case and accents, digits, and nothing between them, each with
 * its place in the text. Escapes (percent, JSON, XML) are undone layer by layer, so that one search finds every spelling.
 */

/** A text with escapes undone; `starts` and `ends` say where each of its characters stands in the text as it came. */
export interface Layer {
  text: string;
  starts?: Int32Array;
  ends?: Int32Array;
}

/** Letters and digits only; starts and ends are places in the layer. */
export interface Folded {
  codes: Uint16Array;
  starts: Int32Array;
  ends: Int32Array;
  length: number;
}

const MOST_LAYERS = 4;
const ESCAPED = /%[0-9a-f]{2}|\\|&(?:#|[a-z]{2,6};)/i;

/** The text itself, then with one layer of escapes undone, and so on while there are any. */
export function layersOf(text: string): Layer[] {
  const layers: Layer[] = [{ text }];
  while (layers.length < MOST_LAYERS) {
    const last = layers.at(-1)!;
    if (!ESCAPED.test(last.text)) break;
    const next = unescapeLayer(last);
    if (next.text === last.text) break;
    layers.push(next);
  }
  return layers;
}

interface Writer {
  text: string;
  starts: Int32Array;
  ends: Int32Array;
  length: number;
}

function unescapeLayer(layer: Layer): Layer {
  const { text } = layer;
  const out: Writer = { text: '', starts: new Int32Array(text.length), ends: new Int32Array(text.length), length: 0 };
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const read =
      code === 0x25 ? readPercent(text, at) : code === 0x5c ? readBackslash(text, at) : code === 0x26 ? readEntity(text, at) : undefined;
    const end = read ? read.end : at + 1;
    put(out, layer, read ? read.sign : text[at]!, at, end);
    at = end;
  }
  return { text: out.text, starts: out.starts.subarray(0, out.length), ends: out.ends.subarray(0, out.length) };
}

/** No escape is shorter than what it stands for, so the arrays never overflow. */
function put(out: Writer, layer: Layer, sign: string, start: number, end: number): void {
  out.text += sign;
  for (let at = 0; at < sign.length; at++) {
    out.starts[out.length] = layer.starts ? layer.starts[start]! : start;
    out.ends[out.length] = layer.ends ? layer.ends[end - 1]! : end;
    out.length += 1;
  }
}

interface Sign {
  sign: string;
  end: number;
}

/** One character of UTF-8, or of Latin-1 where it is not UTF-8. */
function readPercent(text: string, at: number): Sign | undefined {
  const first = byteAt(text, at);
  if (first === undefined) return undefined;
  const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
  let point = more === 0 ? first : first & (0x3f >> more);
  for (let n = 1; n <= more; n++) {
    const byte = byteAt(text, at + 3 * n);
    if (byte === undefined || byte >> 6 !== 2) return { sign: String.fromCharCode(first), end: at + 3 };
    point = (point << 6) | (byte & 0x3f);
  }
  return point > 0x10ffff ? { sign: '\ufffd', end: at + 3 } : { sign: String.fromCodePoint(point), end: at + 3 * (more + 1) };
}

function byteAt(text: string, at: number): number | undefined {
  return text[at] === '%' ? hexAt(text, at + 1, 2) : undefined;
}

function hexAt(text: string, at: number, length: number): number | undefined {
  const digits = text.slice(at, at + length);
  return digits.length === length && /^[0-9a-f]+$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

function readBackslash(text: string, at: number): Sign | undefined {
  const next = text[at + 1];
  if (next === undefined) return undefined;
  const length = next === 'u' ? 4 : next === 'x' ? 2 : 0;
  const code = length > 0 ? hexAt(text, at + 2, length) : undefined;
  if (code !== undefined) return { sign: String.fromCharCode(code), end: at + 2 + length };
  return { sign: 'nrtbf'.includes(next) ? ' ' : next, end: at + 2 };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const LONGEST_ENTITY = 10;

function readEntity(text: string, at: number): Sign | undefined {
  const found = /^&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/i.exec(text.slice(at, at + LONGEST_ENTITY));
  if (!found) return undefined;
  const [whole, decimal, hex, name] = found;
  const point = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined;
  const sign = point === undefined ? ENTITIES[name!.toLowerCase()] : point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
  return sign === undefined ? undefined : { sign, end: at + whole.length };
}

/** A sign may fold to several letters (ß, ligatures), never to more than these. */
const MOST_PER_SIGN = 3;

let scratch = roomFor(4096);

function roomFor(length: number): Folded {
  return { codes: new Uint16Array(length), starts: new Int32Array(length), ends: new Int32Array(length), length: 0 };
}

/** What it returns stands until the next call: a lead's page folds thousands of texts. */
export function fold(text: string): Folded {
  if (text.length * MOST_PER_SIGN > scratch.codes.length) scratch = roomFor(text.length * MOST_PER_SIGN * 2);
  const folded = scratch;
  folded.length = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) at += foldWide(folded, text.codePointAt(at)!, at);
    else {
      if (ASCII[code] !== 0) add(folded, ASCII[code]!, at, at + 1);
      at += 1;
    }
  }
  return folded;
}

/** The letters and digits alone. */
export function skeletonOf(text: string): string {
  return lettersIn(fold(text));
}

export function lettersIn({ codes, length }: Folded): string {
  let skeleton = '';
  for (let at = 0; at < length; at++) skeleton += String.fromCharCode(codes[at]!);
  return skeleton;
}

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(sign) ? sign.charCodeAt(0) : 0;
});

function add(folded: Folded, code: number, start: number, end: number): void {
  folded.codes[folded.length] = code;
  folded.starts[folded.length] = start;
  folded.ends[folded.length] = end;
  folded.length += 1;
}

/** Answers with the width of the sign in the text. */
function foldWide(folded: Folded, point: number, at: number): number {
  const width = point > 0xffff ? 2 : 1;
  const letters = lettersOf(point);
  if (letters === GLUE) {
    if (folded.length > 0 && folded.ends[folded.length - 1] === at) folded.ends[folded.length - 1] = at + width;
  } else for (let n = 0; n < letters.length && n < MOST_PER_SIGN; n++) add(folded, letters.charCodeAt(n), at, at + width);
  return width;
}

/** Belongs to the letter before it: accents that stand alone, joiners, soft hyphens. */
const GLUE = '\u0000';
const TWINS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', đ: 'd', œ: 'oe', ð: 'd', þ: 'th' };
const MOST_KNOWN = 10_000;
const known = new Map<number, string>();

function lettersOf(point: number): string {
  const kept = known.get(point);
  if (kept !== undefined) return kept;
  if (known.size >= MOST_KNOWN) known.clear();
  const letters = foldSign(String.fromCodePoint(point));
  known.set(point, letters);
  return letters;
}

/** Pictures outside the basic plane stand for themselves, as letters do. */
function foldSign(sign: string): string {
  if (/[\p{M}\p{Cf}]/u.test(sign)) return GLUE;
  const lower = sign.toLowerCase();
  const letters = (TWINS[lower] ?? lower.normalize('NFKD').toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '');
  return letters === '' && sign.length > 1 ? sign : letters;
}
