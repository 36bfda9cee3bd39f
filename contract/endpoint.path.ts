/** Paths into a buyer's request or answer: `a.b[0].c`, `*`, `["odd.key"]`, `@attribute`. One grammar for building and reading. */

/**
 * key: a name (object key, XML local name, form name). index: the n-th item, only ever of a list. anyKey / anyItem: the first
 * of all children / items that leads somewhere. attribute: an XML attribute; in JSON the key with its '@'.
 */
export type PathStep =
  | { kind: 'key'; key: string }
  | { kind: 'index'; index: number }
  | { kind: 'anyKey' }
  | { kind: 'anyItem' }
  | { kind: 'attribute'; name: string };

export type ParsedPath = { ok: true; steps: PathStep[] } | { ok: false; problem: string };

const bracket = /\[(?:(\d{1,4})|(\*)|"((?:[^"\\]|\\.)*)")\]/y;
const bareKey = /(?:[^.[\]\\]|\\.)+/y;

/** Dots separate keys, so `phones.0` is the key "0"; only `[0]` is a position. A backslash takes the next character as it is. */
export function parsePath(text: string): ParsedPath {
  const steps: PathStep[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === '.' && steps.length > 0) at++;
    const found = match(text[at] === '[' ? bracket : bareKey, text, at);
    if (!found) return { ok: false, problem: `The path cannot be read from position ${at + 1}.` };
    steps.push(found[0].startsWith('[') && text[at] === '[' ? bracketStep(found) : keyStep(found[0]));
    at += found[0].length;
    if (at < text.length && text[at] !== '.' && text[at] !== '[')
      return { ok: false, problem: `The path cannot be read from position ${at + 1}.` };
    if (text[at] === '.' && at + 1 === text.length) return { ok: false, problem: 'The path ends in a dot.' };
  }
  if (steps.length === 0) return { ok: false, problem: 'The path is empty.' };
  return { ok: true, steps };
}

/** For paths that have been validated before; throws on others. */
export function getPath(text: string): PathStep[] {
  const parsed = parsePath(text);
  if (!parsed.ok) throw new Error(`endpoint_path_unreadable: ${parsed.problem}`);
  return parsed.steps;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function bracketStep(found: RegExpExecArray): PathStep {
  if (found[1] !== undefined) return { kind: 'index', index: Number(found[1]) };
  if (found[2] !== undefined) return { kind: 'anyItem' };
  return { kind: 'key', key: unescapeKey(found[3] ?? '') };
}

function keyStep(raw: string): PathStep {
  if (raw === '*') return { kind: 'anyKey' };
  if (raw.startsWith('@') && raw.length > 1) return { kind: 'attribute', name: unescapeKey(raw.slice(1)) };
  return { kind: 'key', key: unescapeKey(raw) };
}

function unescapeKey(raw: string): string {
  return raw.replace(/\\(.)/gs, '$1');
}
