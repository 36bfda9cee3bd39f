/** Bytes to text: byte order mark, then what XML declares, then the header's charset, then UTF-8 with Windows-1252 as the way out. */
import { isUtf8 } from 'node:buffer';
import type { WarningCode } from './wire.ts';

export interface DecodedText {
  text: string;
  warnings: WarningCode[];
}

export function decodeText(body: Buffer, contentType: string | undefined): DecodedText {
  const marked = byMark(body);
  if (marked) return { text: marked, warnings: ['byte-order-mark'] };
  const wide = wideWithoutMark(body);
  if (wide) return { text: new TextDecoder(wide).decode(body), warnings: ['charset-guessed'] };
  const declared = declaredCharset(body, contentType);
  if (declared) return { text: declared.decode(body), warnings: [] };
  if (isUtf8(body)) return { text: body.toString('utf8'), warnings: [] };
  return { text: new TextDecoder('windows-1252').decode(body), warnings: ['charset-guessed'] };
}

function byMark(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return body.toString('utf8', 3);
  if (body[0] === 0xff && body[1] === 0xfe) return new TextDecoder('utf-16le').decode(body);
  if (body[0] === 0xfe && body[1] === 0xff) return new TextDecoder('utf-16be').decode(body);
  return undefined;
}

/** '<' or '{' beside a zero byte is UTF-16 that lost its mark. */
function wideWithoutMark(body: Buffer): string | undefined {
  const opens = (byte: number | undefined) => byte === 0x3c || byte === 0x7b || byte === 0x5b;
  if (opens(body[0]) && body[1] === 0) return 'utf-16le';
  return body[0] === 0 && opens(body[1]) ? 'utf-16be' : undefined;
}

/** UTF-8 and UTF-16 declarations say nothing here: the bytes have already been looked at. */
function declaredCharset(body: Buffer, contentType: string | undefined): TextDecoder | undefined {
  const head = body[0] === 0x3c ? body.toString('latin1', 0, 120) : '';
  const label =
    /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1] ??
    /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1];
  if (!label || /^utf-?(8|16)/i.test(label) || isAscii(label)) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

function isAscii(label: string): boolean {
  return /^us-ascii$/i.test(label);
}
