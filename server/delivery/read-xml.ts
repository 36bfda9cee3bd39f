/**
 * A small XML reader for buyers' answers: local names, attributes, text and CDATA, the five entities and character references,
 * and the place where it broke. No document type, no other entities, no recursion; linear in the size of the text.
 * Our own because fast-xml-parser 5 accepts unclosed and trailing markup silently, knows no break position and left &#65; undecoded.
 */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** All direct text, trimmed. */
  text: string;
  isNil: boolean;
}

export type ReadXml = { ok: true; root: XmlElement; trailing: boolean } | { ok: false; at: number; message: string };

const MAX_DEPTH = 200;
const space = /\s/;

interface Open {
  element: XmlElement;
  rawName: string;
}

/** `text` begins with '<', outer blanks and marks already taken off. */
export function readXml(text: string): ReadXml {
  const open: Open[] = [];
  let at = 0;
  for (;;) {
    const next = text.indexOf('<', at);
    if (open.length > 0) open.at(-1)!.element.text += decodeEntities(text.slice(at, next < 0 ? text.length : next));
    if (next < 0) return broke(text.length, open.length > 0 ? `<${open.at(-1)!.rawName}> is not closed` : 'there is no element');
    const skipped = skipMarkup(text, next, open.at(-1)?.element);
    if (skipped.kind === 'broke') return broke(next, skipped.message);
    if (skipped.kind === 'skipped') {
      at = skipped.end;
      continue;
    }
    const tag = readTag(text, next);
    if ('message' in tag) return broke(tag.at, tag.message);
    at = tag.end;
    const done = takeTag(tag, open);
    if (typeof done === 'string') return broke(next, done);
    if (done) return { ok: true, root: done, trailing: hasMore(text, at) };
  }
}

function broke(at: number, message: string): ReadXml {
  return { ok: false, at, message };
}

type Skipped = { kind: 'skipped'; end: number } | { kind: 'broke'; message: string } | { kind: 'tag' };

/** Comments, instructions and CDATA; CDATA is the only one that leaves text behind. */
function skipMarkup(text: string, at: number, inside: XmlElement | undefined): Skipped {
  if (text.startsWith('<!--', at)) return skipTo(text, '-->', at + 4);
  if (text.startsWith('<?', at)) return skipTo(text, '?>', at + 2);
  if (text.startsWith('<![CDATA[', at)) {
    const end = text.indexOf(']]>', at);
    if (end < 0) return { kind: 'broke', message: 'CDATA is not closed' };
    if (inside) inside.text += text.slice(at + 9, end);
    return { kind: 'skipped', end: end + 3 };
  }
  return text.startsWith('<!', at) ? { kind: 'broke', message: 'document type declarations are not read' } : { kind: 'tag' };
}

function skipTo(text: string, mark: string, from: number): Skipped {
  const end = text.indexOf(mark, from);
  return end < 0 ? { kind: 'broke', message: `${mark} is missing` } : { kind: 'skipped', end: end + mark.length };
}

interface Tag {
  rawName: string;
  closes: boolean;
  isEmpty: boolean;
  attributes: Record<string, string>;
  isNil: boolean;
  end: number;
}
interface TagProblem {
  at: number;
  message: string;
}

const noAttributes: Record<string, string> = Object.freeze(Object.create(null));
const nameEnd = /[^\s/>="'<]+/y;

function readTag(text: string, start: number): Tag | TagProblem {
  const closes = text[start + 1] === '/';
  const rawName = matchAt(nameEnd, text, start + (closes ? 2 : 1));
  if (!rawName) return { at: start, message: 'a tag has no name' };
  const tag: Tag = { rawName, closes, isEmpty: false, attributes: noAttributes, isNil: false, end: 0 };
  let at = start + (closes ? 2 : 1) + rawName.length;
  for (;;) {
    while (at < text.length && space.test(text[at]!)) at++;
    if (text[at] === '>') return endTag(tag, at + 1, false);
    if (text[at] === '/' && text[at + 1] === '>') return endTag(tag, at + 2, true);
    const end = readAttribute(text, at, tag);
    if (typeof end !== 'number') return end;
    at = end;
  }
}

function endTag(tag: Tag, end: number, isEmpty: boolean): Tag {
  tag.end = end;
  tag.isEmpty = isEmpty;
  return tag;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** Puts one name="value" into the tag and says where it ends. The first of two with one local name counts. */
function readAttribute(text: string, start: number, tag: Tag): number | TagProblem {
  const rawName = matchAt(nameEnd, text, start);
  if (!rawName) return { at: start, message: `<${tag.rawName}> is not closed by >` };
  let at = start + rawName.length;
  while (space.test(text[at] ?? '')) at++;
  if (text[at] !== '=') return { at: start, message: 'an attribute has no value' };
  at++;
  while (space.test(text[at] ?? '')) at++;
  const quote = text[at];
  const end = quote === '"' || quote === "'" ? text.indexOf(quote, at + 1) : -1;
  if (end < 0) return { at: start, message: 'an attribute has no closing quote' };
  const value = decodeEntities(text.slice(at + 1, end));
  const name = localName(rawName);
  if (name === 'nil' && rawName !== 'nil') tag.isNil = value === 'true' || value === '1';
  else if (!(name in tag.attributes) && !rawName.startsWith('xmlns')) addAttribute(tag, name, value);
  return end + 1;
}

function addAttribute(tag: Tag, name: string, value: string): void {
  if (tag.attributes === noAttributes) tag.attributes = Object.create(null);
  tag.attributes[name] = value;
}

/** The root once it is complete, nothing while there is more to come, or what is wrong. */
function takeTag(tag: Tag, open: Open[]): XmlElement | undefined | string {
  if (tag.closes) {
    if (open.at(-1)?.rawName !== tag.rawName) return `</${tag.rawName}> closes nothing that is open`;
    return closeElement(open.pop()!.element, open);
  }
  if (open.length >= MAX_DEPTH) return 'it is nested too deeply';
  const element: XmlElement = { name: localName(tag.rawName), attributes: tag.attributes, children: [], text: '', isNil: tag.isNil };
  open.at(-1)?.element.children.push(element);
  if (tag.isEmpty) return open.length === 0 ? element : undefined;
  open.push({ element, rawName: tag.rawName });
  return undefined;
}

function closeElement(element: XmlElement, open: Open[]): XmlElement | undefined {
  element.text = element.text.trim();
  return open.length === 0 ? element : undefined;
}

function localName(rawName: string): string {
  return rawName.slice(rawName.lastIndexOf(':') + 1);
}

/** Comments and instructions after the root are fine; anything else is junk. */
function hasMore(text: string, from: number): boolean {
  let at = from;
  for (;;) {
    const next = text.indexOf('<', at);
    if (text.slice(at, next < 0 ? text.length : next).trim() !== '') return true;
    if (next < 0) return false;
    const skipped = skipMarkup(text, next, undefined);
    if (skipped.kind !== 'skipped') return true;
    at = skipped.end;
  }
}

const entity = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g;
const entityText: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Once; unknown entities and bare ampersands stay as they stand. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(entity, (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
    if (name) return entityText[name]!;
    const code = decimal ? Number(decimal) : Number.parseInt(hex!, 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}
