/** JSON as buyers send it: numbers keep their digits as text, junk after the document is told apart from a broken document. */

/** Numbers arrive as the text they were written in, so that no id or price passes through a float. */
export type JsonValue = string | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type ReadJson = { ok: true; value: JsonValue; trailing: boolean } | { ok: false; at: number; message: string };

export function readJson(text: string): ReadJson {
  const whole = tryParse(text);
  if (whole !== undefined) return { ok: true, value: whole, trailing: false };
  const scan = scanJson(text);
  if ('message' in scan) return { ok: false, at: scan.at, message: scan.message };
  const value = scan.end < text.length ? tryParse(text.slice(0, scan.end)) : undefined;
  return value === undefined ? { ok: false, at: 0, message: 'it is nested too deeply' } : { ok: true, value, trailing: true };
}

function tryParse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text, keepDigits) as JsonValue;
  } catch {
    return undefined;
  }
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value;
}

type Scan = { end: number } | { at: number; message: string };
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings hold none of them.
const scalar = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings hold none of them.
const stringOnly = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const blanks = /[ \t\r\n]*/y;

/** Where the first complete value ends, or where and why there is none (RFC 8259). Only walked when JSON.parse has refused. */
function scanJson(text: string): Scan {
  const open: ('{' | '[')[] = [];
  let at = skip(text, 0);
  let expects: 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'commaOrEnd' = 'value';
  for (;;) {
    at = skip(text, at);
    const sign = text[at];
    if (sign === undefined) return { at, message: 'it ends too early' };
    const mayEnd = expects === 'valueOrEnd' || expects === 'keyOrEnd' || expects === 'commaOrEnd';
    if (mayEnd && sign === (open.at(-1) === '{' ? '}' : ']')) {
      open.pop();
      at++;
      expects = 'commaOrEnd';
    } else if (expects === 'commaOrEnd') {
      if (sign !== ',') return { at, message: 'a comma or a closing bracket is missing' };
      at++;
      expects = open.at(-1) === '{' ? 'key' : 'value';
      continue;
    } else if (expects === 'key' || expects === 'keyOrEnd') {
      const end = skip(text, matchEnd(stringOnly, text, at));
      if (end < at || text[end] !== ':') return { at: Math.max(at, end), message: 'a name in double quotes and a colon are expected' };
      at = end + 1;
      expects = 'value';
      continue;
    } else if (sign === '{' || sign === '[') {
      open.push(sign);
      at++;
      expects = sign === '{' ? 'keyOrEnd' : 'valueOrEnd';
      continue;
    } else {
      const end = matchEnd(scalar, text, at);
      if (end < 0) return { at, message: 'a value is expected' };
      at = end;
      expects = 'commaOrEnd';
    }
    if (open.length === 0) return { end: at };
  }
}

function skip(text: string, at: number): number {
  return at < 0 ? at : matchEnd(blanks, text, at);
}

/** End of the match, or -1. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? at + found[0].length : -1;
}
