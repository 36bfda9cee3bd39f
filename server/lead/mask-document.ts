/**
 * Masks what a buyer was sent or answered, value by value: JSON, XML and form bodies stay what they were on the wire, down to
 * the spelling of a number; only values change. What is none of these is masked as plain text.
 */
import type { Masking } from './mask-text.ts';

/** What happens to one value, and to one name. */
export interface Marker {
  leaf(text: string): string;
  name(text: string): string;
  text(text: string): string;
}

/** A document may travel inside a value of another: SOAP, or a form with one field of XML. */
const DEEPEST = 3;

export function maskReceived(masking: Masking, body: string): string {
  return maskDocument(masking, body, DEEPEST);
}

export function maskSent(masking: Masking, body: string): string {
  return maskDocument({ leaf: masking.sentLeaf, name: masking.name, text: masking.text }, body, DEEPEST);
}

/** Scheme and host stay: no value of a lead can get there. */
export function maskUrl(masking: Masking, url: string): string {
  const origin = /^https?:\/\/[^/?#@]+(?=[/?#]|$)/i.exec(url)?.[0] ?? '';
  const rest = url.slice(origin.length);
  const mark = rest.search(/[?#]/);
  if (mark < 0) return origin + masking.text(rest);
  const query = rest.slice(mark + 1);
  return `${origin}${masking.text(rest.slice(0, mark))}${rest[mark]}${maskForm(masking, query, 0)}`;
}

function maskDocument(marker: Marker, body: string, depth: number): string {
  switch (depth > 0 ? syntaxOf(body) : 'text') {
    case 'json':
      return maskJson(marker, body, depth);
    case 'xml':
      return maskXml(marker, body, depth);
    case 'form':
      return maskForm(marker, body, depth);
    case 'text':
      return marker.text(body);
  }
}

function syntaxOf(body: string): 'json' | 'xml' | 'form' | 'text' {
  const start = body.trimStart().replace(/^\ufeff/, '')[0];
  if (start === '{' || start === '[') return 'json';
  if (start === '<') return 'xml';
  return /^[\w.[\]%+-]{1,200}=/.test(body) && !/[\s<>{}]/.test(body.trimEnd()) ? 'form' : 'text';
}

const NUMBER = /-?\d[\d.eE+-]*/y;

function maskJson(marker: Marker, body: string, depth: number): string {
  const parts: string[] = [];
  let outside = 0;
  for (let at = 0; at < body.length; ) {
    if (body[at] === '"') {
      const end = endOfString(body, at);
      const inner = body.slice(at + 1, end);
      const isName = nextSign(body, end + 1) === ':';
      parts.push(outsideText(marker, body.slice(outside, at + 1)), isName ? marker.name(inner) : maskJsonText(marker, inner, depth));
      outside = at = end;
      at += 1;
    } else {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(body)?.[0];
      const masked = number === undefined ? undefined : marker.leaf(number);
      if (number !== undefined && masked !== number) {
        parts.push(outsideText(marker, body.slice(outside, at)), `"${masked}"`);
        outside = at + number.length;
      }
      at += number?.length ?? 1;
    }
  }
  return parts.join('') + outsideText(marker, body.slice(outside));
}

/** Between strings stands only grammar; anything else is no JSON and is read as text. */
function outsideText(marker: Marker, text: string): string {
  return /[^\s{}[\],:"\d.eE+\-truefalsn]/.test(text) ? marker.text(text) : text;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at, text.length);
}

function nextSign(text: string, from: number): string | undefined {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text[at];
}

function maskJsonText(marker: Marker, inner: string, depth: number): string {
  const plain = isNested(inner) ? tryRead(() => JSON.parse(`"${inner}"`) as string) : undefined;
  return maskNested(marker, inner, plain, depth, (text) => JSON.stringify(text).slice(1, -1));
}

/** A value that is a document again is opened, masked, and closed as it was; any other is one leaf. */
function maskNested(marker: Marker, raw: string, plain: string | undefined, depth: number, close: (text: string) => string): string {
  if (plain === undefined || depth <= 1 || syntaxOf(plain) === 'text') return marker.leaf(raw);
  const masked = maskDocument(marker, plain, depth - 1);
  return masked === plain ? marker.leaf(raw) : close(masked);
}

function isNested(raw: string): boolean {
  return /[<{[=]|&lt;|%3c|%7b|%3d|\\u003c/i.test(raw);
}

function tryRead(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export function maskForm(marker: Marker, body: string, depth: number): string {
  return body
    .split('&')
    .map((pair) => {
      const cut = pair.indexOf('=');
      if (cut < 0) return marker.text(pair);
      const raw = pair.slice(cut + 1);
      const plain = isNested(raw) ? tryRead(() => decodeURIComponent(raw.replaceAll('+', ' '))) : undefined;
      return `${marker.name(pair.slice(0, cut))}=${maskNested(marker, raw, plain, depth, encodeForm)}`;
    })
    .join('&');
}

/** Dots stay readable. */
export function encodeForm(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+').replaceAll('%E2%80%A2', '•');
}

function maskXml(marker: Marker, body: string, depth: number): string {
  const parts: string[] = [];
  for (let at = 0; at < body.length; ) {
    const end = endOfPiece(body, at);
    parts.push(maskPiece(marker, body.slice(at, end), depth));
    at = end;
  }
  return parts.join('');
}

/** A comment, a CDATA section, a tag, or the text up to the next one; what is never closed goes on to the end. */
function endOfPiece(body: string, at: number): number {
  if (body[at] !== '<') return orEnd(body, body.indexOf('<', at), 0);
  if (body.startsWith('<!--', at)) return orEnd(body, body.indexOf('-->', at), 3);
  if (body.startsWith('<![CDATA[', at)) return orEnd(body, body.indexOf(']]>', at), 3);
  return orEnd(body, body.indexOf('>', at), 1);
}

function orEnd(body: string, found: number, length: number): number {
  return found < 0 ? body.length : found + length;
}

const CDATA = '<![CDATA[';

function maskPiece(marker: Marker, piece: string, depth: number): string {
  if (piece.startsWith(CDATA) && piece.endsWith(']]>')) {
    const inner = piece.slice(CDATA.length, -3);
    return `${CDATA}${maskNested(marker, inner, inner, depth, (text) => text)}]]>`;
  }
  if (piece.startsWith('<!--') || (piece.startsWith('<') && !piece.endsWith('>'))) return marker.text(piece);
  if (piece.startsWith('<')) return maskTag(marker, piece);
  if (piece.trim() === '') return piece;
  return maskNested(marker, piece, isNested(piece) ? unescapeXml(piece) : undefined, depth, escapeXml);
}

/** Values of attributes stand between quotes, everything else in a tag is a name. */
function maskTag(marker: Marker, tag: string): string {
  let masked = '';
  for (let at = 0; at < tag.length; ) {
    const open = firstQuote(tag, at);
    const close = open < 0 ? -1 : tag.indexOf(tag[open]!, open + 1);
    if (close < 0) return masked + marker.name(tag.slice(at));
    masked += marker.name(tag.slice(at, open + 1)) + marker.leaf(tag.slice(open + 1, close));
    masked += tag[close];
    at = close + 1;
  }
  return masked;
}

function firstQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '"' || text[at] === "'") return at;
  return -1;
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&#39;': "'", '&amp;': '&' };

function unescapeXml(text: string): string {
  return text.replace(/&(?:lt|gt|quot|apos|#39|amp);/g, (entity) => ENTITIES[entity]!);
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
