/** How a model of the generic data calls is declared: one declaration says where it is kept, who may, and what each field takes. */
import type { Transaction } from 'kysely';
import type { z } from 'zod';
import type { Database } from '#db/types.ts';
import type { SignedIn } from '#server/session/session.sql.ts';

export interface RecordField {
  column: string;
  /** The member of a JSON column that holds the value. */
  key?: string;
  /** What may be written; a field without it is read only. */
  write?: z.ZodType;
  /** From what is stored to what is told; as it is when absent. */
  read?: (stored: unknown, row: Record<string, unknown>) => unknown;
}

export interface RecordModel {
  model: string;
  table: keyof Database;
  /** The column that holds the organization; null for people, who stand beside organizations. */
  organizationColumn: 'organization_id' | 'id' | null;
  /** The only record of this model that the person reaches. */
  own?: (person: SignedIn) => string;
  fields: Record<string, RecordField>;
  mayRead: (person: SignedIn) => boolean;
  /** Which of the organization's rows the person sees; all when absent. */
  mayReadRow?: (person: SignedIn, row: Record<string, unknown>) => boolean;
  mayWrite: (person: SignedIn) => boolean;
  /** What is told when a unique key of the table, by its name, is taken. */
  unique?: Record<string, { field: string; code: string; message: string }>;
  /** Further checks of what will be written; throws an HttpError. */
  check?: (tx: Transaction<Database>, person: SignedIn, data: Record<string, unknown>) => Promise<void>;
}
