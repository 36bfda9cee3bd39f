/** From bytes to something that can be asked: charset, sniffing, junk, and the place where reading broke. */
import type { ResponseRules } from '#contract/endpoint.ts';
import { type AnswerDocument, delimitedDocument, formDocument, jsonDocument, textDocument, xmlDocument } from './answer-document.ts';
import { decodeText } from './decode-text.ts';
import { readJson } from './read-json.ts';
import { decodeEntities, readXml, type XmlElement } from './read-xml.ts';
import type { WarningCode, WireResponse } from './wire.ts';

/** Where reading stopped: offset from 0, line and column from 1. The message holds none of the answer's values. */
export interface BreakPoint {
  at: number;
  line: number;
  column: number;
  message: string;
}

export interface OpenedAnswer {
  response: WireResponse;
  text: string;
  document: AnswerDocument;
  warnings: WarningCode[];
  broke?: BreakPoint;
}

export function openAnswer(response: WireResponse, rules: Pick<ResponseRules, 'read' | 'delimiter' | 'unescape'>): OpenedAnswer {
  const contentType = headerOf(response, 'content-type');
  const { text, warnings } = decodeText(response.body, contentType);
  const opened: OpenedAnswer = { response, text, document: textDocument(), warnings: [...warnings] };
  const body = text.replace(/^[\s\ufeff\u200b\0]+/, '');
  if (body === '') return opened;
  const plain = rules.unescape && body.startsWith('&lt;') ? unescapeOnce(body, opened) : body;
  const kind = rules.read && rules.read !== 'auto' ? rules.read : sniff(plain, contentType);
  noteClaim(kind, contentType, opened);
  openAs(kind, plain, text.length - body.length, rules, opened);
  return opened;
}

/** Lower-case name; several lines are one list. */
export function headerOf(response: WireResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function unescapeOnce(body: string, opened: OpenedAnswer): string {
  opened.warnings.push('entity-escaped');
  return decodeEntities(body).trimStart();
}

type Kind = AnswerDocument['kind'];

/** The body is believed before the header. */
function sniff(body: string, contentType: string | undefined): Kind {
  if (body.startsWith('{') || body.startsWith('[')) return 'json';
  if (body.startsWith('<')) return 'xml';
  if (/x-www-form-urlencoded/i.test(contentType ?? '')) return 'form';
  return /^[\w.%+[\]-]{1,100}=[^\s]*$/.test(body.trimEnd()) ? 'form' : 'text';
}

function noteClaim(kind: Kind, contentType: string | undefined, opened: OpenedAnswer): void {
  const claims = /json/i.test(contentType ?? '') ? 'json' : /xml/i.test(contentType ?? '') ? 'xml' : undefined;
  const isStructured = kind === 'json' || kind === 'xml';
  if ((claims && claims !== kind) || (isStructured && claims !== kind)) opened.warnings.push('content-type-differs');
}

function openAs(
  kind: Kind,
  body: string,
  skipped: number,
  rules: Pick<ResponseRules, 'delimiter' | 'unescape'>,
  opened: OpenedAnswer,
): void {
  switch (kind) {
    case 'json':
      openJson(body, skipped, opened);
      return;
    case 'xml':
      openXml(body, skipped, rules.unescape ?? false, opened);
      return;
    case 'form':
      opened.document = formDocument(body);
      return;
    case 'delimited':
      opened.document = delimitedDocument(body, rules.delimiter ?? ',');
      return;
    case 'text':
      return;
  }
}

function openJson(body: string, skipped: number, opened: OpenedAnswer): void {
  const read = readJson(body);
  if (!read.ok) setBroke(opened, skipped + read.at, read.message);
  else {
    if (read.trailing) opened.warnings.push('trailing-text');
    opened.document = jsonDocument(read.value);
  }
}

function openXml(body: string, skipped: number, unescapes: boolean, opened: OpenedAnswer): void {
  const start = Math.max(body.indexOf('<'), 0);
  if (start > 0) opened.warnings.push('leading-text');
  const read = readXml(body.slice(start));
  if (!read.ok) {
    setBroke(opened, skipped + start + read.at, read.message);
    return;
  }
  if (read.trailing) opened.warnings.push('trailing-text');
  const inner = unescapes ? innerXml(read.root) : undefined;
  if (inner) opened.warnings.push('entity-escaped');
  opened.document = xmlDocument(inner ?? read.root);
}

/** A document that arrived as the text of a single element, <string>&lt;response&gt;... */
function innerXml(root: XmlElement): XmlElement | undefined {
  let element = root;
  while (element.children.length === 1) element = element.children[0]!;
  const read = element.children.length === 0 && element.text.startsWith('<') ? readXml(element.text) : undefined;
  return read?.ok ? read.root : undefined;
}

function setBroke(opened: OpenedAnswer, at: number, message: string): void {
  const before = opened.text.slice(0, at);
  const line = before.split('\n').length;
  opened.broke = { at, line, column: at - before.lastIndexOf('\n'), message };
  opened.warnings.push('unreadable-body');
}
