import { describe, expect, test } from 'vitest';
import { prettyPrint, prettyText } from './pretty.ts';

const pretty = (text: string) => prettyText(prettyPrint(text));

describe('JSON', () => {
  test('is laid out', () => {
    expect(pretty('{"a":1,"b":[true,null],"c":{}}')).toBe('{\n  "a": 1,\n  "b": [\n    true,\n    null\n  ],\n  "c": {}\n}');
  });
  test('keeps every character of every value', () => {
    const wire = '{"id":12345678901234567890,"price":8.50,"e":1e5,"text":"a \\"b\\" {,:} \\u00e9"}';
    expect(pretty(wire).replaceAll(/\n\s*|(?<=": ?) /g, '')).toBe(wire);
  });
  test('a key is told from a string', () => {
    const kinds = prettyPrint('{"a":"b"}').lines[1]?.tokens.map((token) => token.kind);
    expect(kinds).toEqual(['key', 'mark', 'string']);
  });
  test('what only looks like JSON stays text', () => {
    expect(prettyPrint('{status: sold}').syntax).toBe('text');
  });
  test('a byte order mark does not matter', () => {
    expect(prettyPrint('\uFEFF{"a":1}').syntax).toBe('json');
  });
});

describe('XML', () => {
  test('is laid out with text beside its tag', () => {
    expect(pretty('<?xml version="1.0"?><r a="1>0"><x>Tom &amp; Jo</x><y/><z><q>1</q></z></r>')).toBe(
      '<?xml version="1.0"?>\n<r a="1>0">\n  <x>Tom &amp; Jo</x>\n  <y/>\n  <z>\n    <q>1</q>\n  </z>\n</r>',
    );
  });
  test('CDATA and comments survive', () => {
    expect(pretty('<a><![CDATA[<b>&]]></a>')).toBe('<a><![CDATA[<b>&]]></a>');
    expect(pretty('<a><!-- <b> --><c/></a>')).toBe('<a>\n  <!-- <b> -->\n  <c/>\n</a>');
  });
  test('an unclosed tag is still shown', () => {
    expect(pretty('<a><b>1</a>')).toContain('<b>1');
  });
});

test('form fields come one to a line, decoded', () => {
  expect(pretty('first=J%26J&zip=01234&note=a+b')).toBe('first = J&J\nzip = 01234\nnote = a b');
});
test('anything else is left alone', () => {
  expect(pretty('ACCEPT|12.50|2026-11-27')).toBe('ACCEPT|12.50|2026-11-27');
  expect(pretty('WORD,rest = of it')).toBe('WORD,rest = of it');
});
