import { expect, it } from 'vitest';
import { z } from 'zod';
import { speakPlainly } from './plain-words.ts';

speakPlainly();
const shape = z.strictObject({
  notes: z.string().max(5),
  name: z.string().min(1),
  count: z.int().min(2).max(9),
  list: z.array(z.string()).max(1),
  kind: z.enum(['post', 'pingPost']),
  on: z.boolean(),
  own: z.string().max(3, 'Too long for a code.'),
});

it.each([
  ['notes', 'too long', 'At most 5 characters.'],
  ['notes', 7, 'This must be a text.'],
  ['name', '', 'This is required.'],
  ['name', undefined, 'This is required.'],
  ['count', 1, 'At least 2.'],
  ['count', 10, 'At most 9.'],
  ['count', 2.5, 'This must be a whole number.'],
  ['list', ['a', 'b'], 'At most 1 entry.'],
  ['list', {}, 'This must be a list.'],
  ['kind', 'mail', 'This must be post or pingPost.'],
  ['on', 'yes', 'This must be true or false.'],
  ['own', 'long', 'Too long for a code.'],
  ['other', 1, 'There is no "other" here.'],
])('%s: %j is told as: %s', (name, value, message) => {
  const good = { notes: '', name: 'x', count: 3, list: [], kind: 'post', on: true, own: '' };
  expect(shape.safeParse({ ...good, [name]: value }).error?.issues.map((issue) => issue.message)).toEqual([message]);
});
