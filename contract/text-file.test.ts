import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { whyNoText } from './text-file.ts';

test.each([
  ['a ZIP', Buffer.from('PK\x03\x04 x'), /ZIP archive, or a spreadsheet such as \.xlsx/],
  ['an empty ZIP', Buffer.from('PK\x05\x06'), /ZIP archive/],
  ['gzip', gzipSync('email\nada@example.com\n'), /packed with gzip\. Unpack it/],
  ['two bytes a character', Buffer.from('\uFEFFa@b.co', 'utf16le'), /UTF-16\. Save it as "CSV UTF-8"/],
  ['anything with a NUL', Buffer.from('a\0b'), /no text\. Save it as CSV/],
])('console §2: %s is said to be none, and what to import instead', (_, beginning, says) => {
  expect(whyNoText(beginning)).toMatch(says);
});

test.each(['', 'PK,03\n', 'email\nada@example.com', '\uFEFFemail', '\x1f'])('console §2: %j may be text', (text) => {
  expect(whyNoText(Buffer.from(text))).toBe(undefined);
});
