/** What a lead gave, as lead.fields keeps it sealed. */
import { bare } from '#engine/bare.ts';
import { type OrganizationKeys, openJson, Unreadable } from '#server/kit/crypto.ts';
import type { Inbound } from './intake.ts';

export interface StoredFields {
  fields: Record<string, string>;
  unknown: Record<string, unknown>;
  invalid: Record<string, unknown>;
  inbound: Inbound;
  /** When the person was taken out of it, and by which job, by the vertical's rules of keeping, or as it came, since they had been erased before. */
  erased?: { at: string; jobId?: string; why?: 'retention' | 'refused' };
}

/** Unsealed; looked up by the name of any field, none of its maps knows more than it was given. */
export function openStoredFields(keys: OrganizationKeys, leadId: string, sealed: Buffer): StoredFields {
  const stored = openJson<StoredFields>(keys, 'lead.fields', leadId, sealed);
  return { ...stored, fields: bare(stored.fields), unknown: bare(stored.unknown), invalid: bare(stored.invalid) };
}

/** What stands in a list for the person of a lead whose sealed fields were damaged. */
export const NOT_TO_BE_OPENED = 'cannot be opened';

/** For lists: one damaged lead must not take the others away. Undefined where it cannot be opened. */
export function openIfSound(keys: OrganizationKeys, leadId: string, sealed: Buffer): StoredFields | undefined {
  try {
    return openStoredFields(keys, leadId, sealed);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
