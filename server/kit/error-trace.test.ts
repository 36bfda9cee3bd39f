import { expect, it } from 'vitest';
import { traceOf } from './error-trace.ts';

it.each(['canary', 'two lines\n    at canary (/etc/canary.ts:1:1)', '', 'canary\ncanary'])(
  'the message %j of an error is not in its trace',
  (message) => {
    const trace = traceOf(Object.assign(new TypeError(message), { code: '22P02' }));
    expect(trace).toMatchObject({ name: 'TypeError', code: '22P02' });
    expect(trace.stack).toMatch(/^\s+at .*error-trace\.test\.ts\S*:\d+:\d+/);
    expect(JSON.stringify(trace)).not.toContain('canary');
  },
);

it('C8, H1: names and codes that are no words, and things that are no errors, tell nothing', () => {
  expect(traceOf(Object.assign(new Error('x'), { name: 'a canary', code: 'Kanari: 1' }))).not.toHaveProperty('code');
  expect(JSON.stringify(traceOf(Object.assign(new Error('x'), { name: 'a canary' })))).not.toContain('canary');
  expect(traceOf('canary')).toEqual({ name: 'Error', stack: '' });
  expect(traceOf(undefined)).toEqual({ name: 'Error', stack: '' });
});
