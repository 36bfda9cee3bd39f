/** Whether a person stands in what was sent and made no lead: in a sample lead, or in the body of a refused call. */
import { normaliseLead } from '#engine/field.ts';
import { keyedHash, type OrganizationKeys } from '#server/kit/crypto.ts';
import { leavesOf } from '#server/lead/mask.ts';
import { readPosted } from '#server/lead/mask-posting.ts';
import { isRefusal } from '#server/lead/posting.read.ts';
import type { KeptCall } from '#server/log/call.view.ts';
import { ownValuesIn, piecesOf } from './own-value.ts';
import type { VerticalPlace } from './vertical-place.ts';

/** `nobodys`: it has no value that anybody is known by, so whether it is theirs nobody can tell. */
export type Whose = 'theirs' | 'another' | 'nobodys';

export interface Known {
  keys: OrganizationKeys;
  /** Hashes of what was sought, and of the own values of the leads found by it. */
  hashes: ReadonlySet<string>;
}

export function whoseFields(known: Known, place: VerticalPlace, values: Record<string, unknown>): Whose {
  const { fields } = normaliseLead(place.config, values, true);
  const searched = place.searchable.flatMap((name) => fields[name] ?? []);
  return whose(known, searched, ownValuesIn(leavesOf(values), place.config.country));
}

/** A body that cannot be read as a lead is looked through as the text it is. One that was emptied is nobody's to look for. */
export function whoseCall(known: Known, place: VerticalPlace, call: KeptCall): Whose {
  if (call.body.trim() === '') return 'another';
  const posting = readPosted(call);
  return isRefusal(posting)
    ? whose(known, [], ownValuesIn(piecesOf(call.body), place.config.country))
    : whoseFields(known, place, posting.fields);
}

function whose({ keys, hashes }: Known, searched: readonly string[], own: readonly string[] | undefined): Whose {
  const values = new Set([...searched, ...(own ?? [])]);
  for (const value of values) if (hashes.has(keyedHash(keys, 'lookup', value))) return 'theirs';
  return values.size === 0 || own === undefined ? 'nobodys' : 'another';
}
