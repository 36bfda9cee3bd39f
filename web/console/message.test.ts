import { afterEach, expect, test, vi } from 'vitest';
import { messagesQuery } from './api/message.ts';
import { message } from './message.ts';
import { queryClient } from './query-client.ts';

afterEach(() => {
  queryClient.clear();
  vi.restoreAllMocks();
});

test('console §7: {{module}} becomes the name of what the message speaks of', () => {
  expect(message('moduleSaved', 'Buyer')).toBe('Buyer saved.');
  // A name is text, not a pattern of a replacement.
  expect(message('moduleSaved', "$& $' $1")).toBe("$& $' $1 saved.");
});
test('console §7: the server’s wording goes before the built-in one', () => {
  queryClient.setQueryData(messagesQuery.queryKey, { moduleSaved: '{{module}}: kept, {{module}}.' });
  expect(message('moduleSaved', 'Tier')).toBe('Tier: kept, Tier.');
});
test.each(['noSuchMessage', 'toString', '__proto__'])('console §8: the missing key %s is logged, and an empty message used', (key) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(message(key)).toBe('');
  expect(log).toHaveBeenCalledWith(`There is no message "${key}".`);
});
