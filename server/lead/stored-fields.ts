/** What a lead gave, as lead.fields keeps it sealed. */
import { bare } from '#engine/bare.ts';
import { type OrganizationKeys, openJson } from '#server/kit/crypto.ts';
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
