/**
 * How a model of the generic data calls is declared: one declaration says where it is kept, who may, what each field takes, what
 * is unique, what it is a child of, what uses it and what removing it means. Everything else follows from it.
 */
import type { RawBuilder, Transaction } from 'kysely';
import type { z } from 'zod';
import type { CsvCell } from '#contract/csv.ts';
import type { Database } from '#db/types.ts';
import type { AllowList } from '#server/delivery/outbound-address.ts';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import type { SignedIn } from '#server/session/session.sql.ts';

export type Tx = Transaction<Database>;
export type Row = Record<string, unknown>;

/** What a value is: how it is compared, and how it is handed to the database. */
export type FieldKind = 'text' | 'number' | 'amount' | 'boolean' | 'time' | 'id' | 'texts' | 'json' | 'sealed';

/** What reading and storing may need beside the value. */
export interface FieldContext {
  /** The row as it is, under the names of its columns; empty for a record that is being added. */
  row: Row;
  recordId: string;
  keys: () => OrganizationKeys;
}

export interface RecordField {
  /** A column of the table; for an `expression` only the name it is read under. */
  column: string;
  /** Read from elsewhere, such as a count of children; such a field is never written. */
  expression?: RawBuilder<unknown>;
  /** Read anew for each person; never written, nor looked for or sorted by. */
  forPerson?: (person: SignedIn) => RawBuilder<unknown>;
  /** The name of the record of `table` that the column `by` refers to, such as the buyer of a tier; never written. */
  nameFrom?: { table: 'buyer' | 'campaign' | 'publisher' | 'region'; by: string };
  /** The member of a JSON column that holds the value. */
  key?: string;
  /** text when absent. */
  kind?: FieldKind;
  /** What may be written; a field without it is read only. */
  write?: z.ZodType;
  /** Must be given when a record is added. */
  required?: true;
  /** Given when a record is added, and never changed afterwards. */
  fixed?: true;
  /** The model whose record an id names: it must be one that the person reaches. */
  refers?: string;
  /** From what was written to what is stored; as it is when absent. */
  store?: (value: never, context: FieldContext) => unknown;
  /** A further check of an edited record, whether or not the field itself was written; `context.row` is the record as it will be. */
  checkEdit?: (written: never, before: Row, context: FieldContext) => void;
  /** Told to who reads the record; the change log says no more than that it changed. */
  unlogged?: true;
  /** Other fields whose columns `read` looks at in `context.row`. */
  readsWith?: readonly string[];
  /** From what is stored to what is told; as it is when absent. */
  read?: (stored: never, context: FieldContext) => unknown;
  /** What is read, or null, as a cell of a file; JSON where a field of many parts does not say. */
  csv?: (read: never) => CsvCell;
}

export interface UniqueName {
  field: string;
  /** Narrows it to records that share this field. */
  within?: string;
  /** A unique key of the table that holds it, named in `unique`: to the letter, and for archived records too. Without it case does not count. */
  key?: string;
}

export interface RecordModel {
  model: string;
  /** For people: 'Buyer tier'. */
  label: string;
  table: keyof Database & string;
  /** The column that holds the organization; null for people, who stand beside organizations. */
  organizationColumn: 'organization_id' | 'id' | null;
  /** The only record of this model that the person reaches. */
  own?: (person: SignedIn) => string;
  fields: Record<string, RecordField>;
  mayRead: (person: SignedIn) => boolean;
  /** Which of the organization's rows the person sees; all when absent. */
  mayReadRow?: (person: SignedIn, row: Row) => boolean;
  mayWrite: (person: SignedIn) => boolean;
  /** Adding and removing; nobody when absent. */
  mayAdd?: (person: SignedIn) => boolean;
  /** The page of the catalogue that opens this model; 'setup' when absent. */
  page?: string;
  /** The vertical a row lies in, in SQL: rows of verticals where its page is not ticked for the person are not there for them. */
  verticalOf?: RawBuilder<unknown>;
  /** The verticals a row is shared by, in SQL: a query of `vertical_id`. Such a model has the field `mayEdit` (reach.ts). */
  verticalsOf?: RawBuilder<unknown>;
  /** Whether the person may add records of a page ('setup' where a model names none) to this one; whoever reaches it when absent. */
  mayAddTo?: (person: SignedIn, row: Row, page: string) => boolean;
  /** The record it belongs to, and the name of this collection there (`entityKey`). */
  parent?: { model: string; field: string; entityKey: string };
  /** A change of one locks its parent, before the record itself: what the children of one parent are together is relied on. */
  locksParent?: true;
  /** Its rules name fields of its vertical (its column `vertical_id`), which stay as they are while it is judged and stored. */
  namesFields?: true;
  /** The column that orders the children of one parent. */
  position?: string;
  /** archive: kept, out of sight and out of work, and can be restored. delete: gone. Absent: cannot be removed. */
  removal?: 'archive' | 'delete';
  /** Sentences about what still needs the record; while there are any it stays. */
  uses?: (tx: Tx, organizationId: string, row: Row) => Promise<string[]>;
  /** Fields whose value no other record has; `get/unique-name` tells of each whether a value is free. */
  uniqueNames?: UniqueName[];
  /** What is told when a unique key of the table, by its name, is taken. */
  unique?: Record<string, { field: string; code: string; message: string }>;
  /** Fields that a search looks through. */
  search?: string[];
  /** What a record is called in messages and in the change log; its field `name` when absent. */
  nameOf?: (row: Row) => string;
  /** Columns a new record begins with, beside what was written. */
  begin?: (tx: Tx, person: SignedIn, data: Row) => Promise<Row>;
  /** Further checks of the record as it will be; throws an HttpError. `changed` names the fields that were written, `before` is the record as it was, null for a new one. */
  check?: (tx: Tx, person: SignedIn, changed: Row, row: Row, before: Row | null, given: CheckGiven) => Promise<void>;
  /** True when nodes route leads by it: a change reaches them at once. */
  routes?: true;
  /** True when its changes stand in the change log. */
  logged?: true;
}

/** What checks are given of the organization and of the installation. */
export interface CheckGiven {
  keys: FieldContext['keys'];
  /** Where outbound calls may go beside public addresses. */
  outboundAllow: AllowList;
}

/** One that comes back from the archive as it was: nobody writes anew what it holds. */
export const isRestored = (before: Row | null): boolean => before?.status === 'archived';

export const kindOf = (field: RecordField): FieldKind => field.kind ?? 'text';
export const nameOf = (model: RecordModel, row: Row): string => (model.nameOf ? model.nameOf(row) : String(row.name ?? ''));
/** What records can be looked for and sorted by. */
export const isSearchable = (field: RecordField): boolean =>
  !['json', 'sealed', 'texts'].includes(kindOf(field)) && !field.key && !field.forPerson;
export const hasVersion = (model: RecordModel): boolean => Object.hasOwn(model.fields, 'version');
