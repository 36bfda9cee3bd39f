import { describe, expect, it } from 'vitest';
import { isInShare, readTraceparent, writeTraceparent } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('the header traceparent', () => {
  it('is read as W3C Trace Context writes it, and written the same', () => {
    const read = readTraceparent(`00-${TRACE}-${SPAN}-01`);
    expect(read).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
    expect(writeTraceparent(read!)).toBe(`00-${TRACE}-${SPAN}-01`);
    expect(readTraceparent(`00-${TRACE}-${SPAN}-00`)?.isSampled).toBe(false);
    expect(readTraceparent(`00-${TRACE}-${SPAN}-ff`)?.isSampled).toBe(true);
    // Of a later version the part that is known counts.
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes`)).toMatchObject({ traceId: TRACE });
  });

  it.each([
    undefined,
    ['00', TRACE],
    '',
    'x',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01 `,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
  ])('is none where it is %j', (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });
});

describe('the share of traces that are kept', () => {
  it('is judged by the end of the id alone', () => {
    const ending = (last: string) => TRACE.slice(0, 18) + last.padEnd(14, '0');
    expect([isInShare(ending('00'), 0), isInShare(ending('ff'.repeat(7)), 1)]).toEqual([false, true]);
    expect([isInShare(ending('7f'), 0.5), isInShare(ending('80'), 0.5)]).toEqual([true, false]);
  });
});
