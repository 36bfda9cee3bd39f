/** Pretty printing for reading wire traffic. It only moves white space: `8.50` and a 20-digit id stay what they were on the wire. */
export type Syntax = 'json' | 'xml' | 'form' | 'text';
export type TokenKind = 'key' | 'string' | 'number' | 'word' | 'tag' | 'attribute' | 'mark' | 'plain';
export interface Token {
  kind: TokenKind;
  text: string;
}
export interface Line {
  indent: number;
  tokens: Token[];
}
export interface Pretty {
  syntax: Syntax;
  lines: Line[];
}

export function prettyPrint(source: string): Pretty {
  const text = source.replace(/^\uFEFF/, '').trim();
  const json = /^[[{]/.test(text) ? jsonLines(text) : null;
  if (json) return { syntax: 'json', lines: json };
  const xml = text.startsWith('<') ? xmlLines(text) : null;
  if (xml) return { syntax: 'xml', lines: xml };
  const form = formLines(text);
  if (form) return { syntax: 'form', lines: form };
  return { syntax: 'text', lines: source.split(/\r?\n/).map((line) => ({ indent: 0, tokens: [{ kind: 'plain', text: line }] })) };
}

export const prettyText = ({ lines }: Pretty): string =>
  lines.map((line) => '  '.repeat(line.indent) + line.tokens.map((token) => token.text).join('')).join('\n');

const jsonToken = /\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:])/y;

function jsonLexemes(text: string): string[] | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const found: string[] = [];
  jsonToken.lastIndex = 0;
  for (let match = jsonToken.exec(text); match; match = jsonToken.exec(text)) found.push(match[1] ?? '');
  return found;
}

const jsonKind = (lexeme: string, next: string | undefined): TokenKind => {
  if (lexeme.startsWith('"')) return next === ':' ? 'key' : 'string';
  if (/^[-\d]/.test(lexeme)) return 'number';
  return /^[a-z]/.test(lexeme) ? 'word' : 'mark';
};

function jsonLines(text: string): Line[] | null {
  const lexemes = jsonLexemes(text);
  if (!lexemes) return null;
  const lines: Line[] = [{ indent: 0, tokens: [] }];
  let depth = 0;
  const put = (token: Token) => lines.at(-1)?.tokens.push(token);
  const breakLine = () => lines.push({ indent: depth, tokens: [] });
  lexemes.forEach((lexeme, at) => {
    const next = lexemes[at + 1];
    const previous = lexemes[at - 1];
    if (/^[}\]]$/.test(lexeme)) {
      depth -= 1;
      if (previous !== '{' && previous !== '[') breakLine();
    }
    put({ kind: jsonKind(lexeme, next), text: lexeme === ':' ? ': ' : lexeme });
    if (/^[{[]$/.test(lexeme)) {
      depth += 1;
      if (next !== '}' && next !== ']') breakLine();
    }
    if (lexeme === ',') breakLine();
  });
  return lines;
}

const xmlPiece = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<![^>]*>|<\/?[^\s<>/]+(?:"[^"]*"|'[^']*'|[^<>"'])*>|[^<]+/y;

function xmlLines(text: string): Line[] | null {
  const lines: Line[] = [];
  let depth = 0;
  let at = 0;
  let openLine = false;
  while (at < text.length) {
    xmlPiece.lastIndex = at;
    const piece = xmlPiece.exec(text)?.[0];
    if (!piece) return null;
    at += piece.length;
    if (piece.trim() === '') continue;
    if (piece.startsWith('</')) {
      depth = Math.max(0, depth - 1);
      if (openLine) lines.at(-1)?.tokens.push(...tagTokens(piece));
      else lines.push({ indent: depth, tokens: tagTokens(piece) });
      openLine = false;
    } else if (/^<[^!?]/.test(piece)) {
      lines.push({ indent: depth, tokens: tagTokens(piece) });
      openLine = !piece.endsWith('/>');
      if (openLine) depth += 1;
    } else if (piece.startsWith('<![CDATA[') || !piece.startsWith('<')) {
      const token: Token = { kind: 'string', text: piece.startsWith('<') ? piece : piece.trim() };
      if (openLine) lines.at(-1)?.tokens.push(token);
      else lines.push({ indent: depth, tokens: [token] });
    } else {
      lines.push({ indent: depth, tokens: [{ kind: 'mark', text: piece }] });
      openLine = false;
    }
  }
  return lines;
}

function tagTokens(tag: string): Token[] {
  const match = /^(<\/?)([^\s<>/]+)([\s\S]*?)(\/?>)$/.exec(tag);
  if (!match) return [{ kind: 'plain', text: tag }];
  const [, open = '', name = '', attributes = '', close = ''] = match;
  const rest: Token[] = [];
  for (const [text] of attributes.matchAll(/"[^"]*"|'[^']*'|[^"']+/g))
    rest.push({ kind: /^["']/.test(text) ? 'string' : 'attribute', text });
  return [{ kind: 'mark', text: open }, { kind: 'tag', text: name }, ...rest, { kind: 'mark', text: close }];
}

const unescapeForm = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

function formLines(text: string): Line[] | null {
  if (!/^[\w.[\]%+-]+=[^\s<>{}]*(&[\w.[\]%+-]+=[^\s<>{}]*)*$/.test(text)) return null;
  return text.split('&').map((pair) => {
    const cut = pair.indexOf('=');
    return {
      indent: 0,
      tokens: [
        { kind: 'key', text: unescapeForm(pair.slice(0, cut)) },
        { kind: 'mark', text: ' = ' },
        { kind: 'string', text: unescapeForm(pair.slice(cut + 1)) },
      ],
    };
  });
}
