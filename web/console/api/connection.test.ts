import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lookForServer, noteAnswer, noteReached, serverIsReached, watchReached } from './connection.ts';

beforeEach(() => noteReached(true));
afterEach(() => vi.unstubAllGlobals());
const answering = (answer: () => Promise<Response>) => vi.stubGlobal('fetch', vi.fn(answer));

test('console §8: a server that does not answer, or for which a proxy answers, is out of reach', async () => {
  answering(() => Promise.reject(new TypeError('Failed to fetch')));
  await lookForServer();
  expect(serverIsReached()).toBe(false);
  answering(async () => Response.json({ status: true }));
  await lookForServer();
  expect(serverIsReached()).toBe(true);
  answering(async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }));
  await lookForServer();
  expect(serverIsReached()).toBe(false);
});
test('console §8: a refusal of the server itself is an answer', () => {
  noteAnswer(503, true);
  expect(serverIsReached()).toBe(true);
  noteAnswer(404, false);
  expect(serverIsReached()).toBe(true);
});
test('who watches hears of each change, and of nothing else', () => {
  const heard = vi.fn();
  const stop = watchReached(heard);
  for (const reached of [true, false, false, true]) noteReached(reached);
  stop();
  noteReached(false);
  expect(heard).toHaveBeenCalledTimes(2);
});
