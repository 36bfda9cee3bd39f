import { expect, test } from 'vitest';
import { toCurl } from './curl.ts';

test('a call with quotes in it survives the shell', () => {
  const line = toCurl({
    method: 'POST',
    url: 'https://x.example/a?b=1&c=2',
    headers: { 'content-type': 'application/json', 'content-length': '9' },
    body: `{"a":"it's"}`,
  });
  expect(line).toBe(
    `curl -X POST 'https://x.example/a?b=1&c=2' \\\n  -H 'content-type: application/json' \\\n  --data-raw '{"a":"it'\\''s"}'`,
  );
});
