/** The message catalogue (account §8, console §8): what it holds is said somewhere, and toasts say nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MESSAGES } from '#contract/message.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const sources = ['contract', 'server', 'web'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && join(folder, name) !== 'contract/message.ts')
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(ROOT, folder, name), 'utf8') })),
);

/** The arguments of each call of a toast, on their line. */
const toasts = sources
  .filter(({ path }) => path.startsWith('web/') && path !== 'web/ui/toast.ts')
  .flatMap(({ path, text }) => [...text.matchAll(/\btoast\(([^;\n]*)/g)].map((match) => ({ path, said: match[1]! })));

describe('the message catalogue', () => {
  it('account §8, console §8: every message has a place that says it', () => {
    const unsaid = Object.keys(MESSAGES).filter((key) => {
      const isSaid = new RegExp(`MESSAGES\\.${key}\\b|'${key}'`);
      return !sources.some(({ text }) => isSaid.test(text));
    });
    expect(unsaid).toEqual([]);
  });

  it('console §8: a toast repeats the server or speaks from the catalogue, as the server words it', () => {
    expect(toasts.length).toBeGreaterThan(20);
    const own = toasts.filter(({ said }) => /MESSAGES\.|(['"`])[A-Z][^'"`]* [^'"`]*\1/.test(said));
    expect(own).toEqual([]);
  });

  it('console §8: a toast is a success or an error, and nothing else', () => {
    expect(toasts.filter(({ said }) => !/^'(success|error)',/.test(said))).toEqual([]);
  });
});
