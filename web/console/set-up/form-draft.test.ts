// @vitest-environment jsdom
import { describe, expect, test } from 'vitest';
import { dropAllDrafts, dropDraft, keepDraft, readDraft } from './form-draft.ts';

function memory(setItem?: () => void) {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: setItem ?? ((key: string, value: string) => void kept.set(key, value)),
    removeItem: (key: string) => void kept.delete(key),
  };
}
const draft = { person: 'una', values: { name: 'Half a na', secrets: [{ name: 'password', value: 'hush' }] }, base: null };

describe('what was typed and not saved', () => {
  test('comes back to who typed it, at the same address, without its secrets', () => {
    const store = memory();
    keepDraft(store, '/a', draft);
    expect(readDraft(store, '/a', 'una')).toEqual({ ...draft, values: { name: 'Half a na' } });
    expect([readDraft(store, '/a', 'otto'), readDraft(store, '/b', 'una')]).toEqual([undefined, undefined]);
    expect(JSON.stringify([...store.kept])).not.toContain('hush');
    dropDraft(store, '/a');
    expect(readDraft(store, '/a', 'una')).toBeUndefined();
  });
  test('ASVS 5.0 14.3.1: is gone from the tab once its person signs out, and nothing else is', () => {
    sessionStorage.clear();
    sessionStorage.setItem('reloadedAt', '1');
    for (const address of ['/a', '/b?c=1']) keepDraft(sessionStorage, address, draft);
    expect(Object.keys(sessionStorage)).toHaveLength(3);
    dropAllDrafts(sessionStorage);
    expect(Object.keys(sessionStorage)).toEqual(['reloadedAt']);
  });
  test('a full or spoilt store costs the draft and nothing else', () => {
    const full = memory(() => {
      throw new Error('QuotaExceededError');
    });
    expect(() => keepDraft(full, '/a', draft)).not.toThrow();
    const spoilt = memory();
    spoilt.kept.set('draft /a', '{');
    expect(readDraft(spoilt, '/a', 'una')).toBeUndefined();
  });
});
