/** What was typed into a form and not saved yet: kept in this tab, so that a session that ends, a reload or a lost line takes nothing along. */
import type { RecordRow } from '../api/record.ts';

interface Draft {
  /** Whose it is: after a sign-in as somebody else it is not there. */
  person: string;
  values: Record<string, unknown>;
  /** The record as it was when the typing began; null for a new one. */
  base: RecordRow | null;
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
const keyOf = (address: string) => `draft ${address}`;

/** Secrets are typed again; they are written down nowhere. */
const UNKEPT = ['secrets'];

export function keepDraft(store: Store, address: string, { person, values, base }: Draft): void {
  const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !UNKEPT.includes(name)));
  try {
    store.setItem(keyOf(address), JSON.stringify({ person, values: kept, base }));
  } catch {
    // A full store: the form works on without a draft.
  }
}

export function readDraft(store: Store, address: string, person: string): Draft | undefined {
  try {
    const draft = JSON.parse(store.getItem(keyOf(address)) ?? 'null') as Draft | null;
    return draft?.person === person && typeof draft.values === 'object' ? draft : undefined;
  } catch {
    return undefined;
  }
}

/** At a sign-out of one's own accord nothing stays behind in the tab. */
export function dropAllDrafts(store: Storage): void {
  for (const key of Object.keys(store)) if (key.startsWith(keyOf(''))) store.removeItem(key);
}

export const dropDraft = (store: Store, address: string): void => store.removeItem(keyOf(address));
