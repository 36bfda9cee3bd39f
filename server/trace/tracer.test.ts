import { expect, it } from 'vitest';
import { openTracer, type SpanRecord } from './tracer.ts';

const LEAST_ID = `00-4bf92f3577b34da6a3${'0'.repeat(14)}-00f067aa0ba902b7`;

it.each(['01', '00'])('one call in so many is kept by share, whatever trace the caller names, marked %s', (flags) => {
  const kept: SpanRecord[] = [];
  const tracer = openTracer({
    ...{ keep: (span) => void kept.push(span), waiting: () => 0, close: async () => {}, clock: () => 0 },
    share: 0.25,
  });
  // Of a share the lowest id is always one.
  for (let call = 0; call < 2_000; call++) tracer.begin('call', `${LEAST_ID}-${flags}`)?.end();
  expect(kept.length).toBeGreaterThan(300);
  expect(kept.length).toBeLessThan(700);
  expect(new Set(kept.map(({ traceId }) => traceId)).size).toBe(kept.length);
  expect(kept.every(({ link, parentId }) => link?.spanId === '00f067aa0ba902b7' && parentId === undefined)).toBe(true);
});
