/** An erasure on request as it is kept beside the data: in a table, and in a file that no backup of the database holds (decision 0037). Nothing of the person stands in it. */
import type { PersonSought } from '#server/data-request/find-person.sql.ts';

export interface Erasure {
  organizationId: string;
  /** Sorts by time. */
  id: string;
  /** accepted: the person may come again. */
  kind: 'erased' | 'accepted';
  askedAt: Date;
  /** Empty of those that are accepted again. */
  sought: PersonSought;
  /** Keyed hashes of the person's addresses and phone numbers: refused from then on, or taken again. */
  personHashes: string[];
}

/** Leads that came while it was asked for may have passed by it. */
const ASKED_WITHIN_MS = 60_000;

/** Only leads from before this moment are the erasure's: a person who may come again may have done so. */
export const erasesBefore = ({ askedAt, personHashes }: Pick<Erasure, 'askedAt' | 'personHashes'>): number =>
  askedAt.getTime() + (personHashes.length > 0 ? ASKED_WITHIN_MS : 0);
