/**
 * What of an organization a member reaches (decision 0016), in SQL over the row `t`. Most records lie in one vertical. A
 * company lies wherever its tiers do, archived ones too: it is there for who may set up one of those verticals, and changed by who may
 * set up all of them; one without a tier is everybody's.
 */
import { type RawBuilder, sql } from 'kysely';
import { mayEverything, maySetUp, pageVerticals } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import type { RecordField, RecordModel } from './record-model.ts';

/** Which rows of the model are there for the person. */
export function inReach(person: SignedIn, { page, verticalOf, verticalsOf }: RecordModel): RawBuilder<boolean> {
  if (mayEverything(person)) return sql<boolean>`true`;
  if (verticalOf) return sql<boolean>`${verticalOf} = ${own(person, page)}`;
  return verticalsOf
    ? sql<boolean>`(not exists (${verticalsOf}) or exists (select 1 from (${verticalsOf}) v where v.vertical_id = ${own(person)}))`
    : sql<boolean>`true`;
}

/** Whether the person may change a record that may be shared between verticals. */
export const mayEditField = (verticalsOf: RawBuilder<unknown>): RecordField => ({
  column: 'may_edit',
  kind: 'boolean',
  forPerson: (person) =>
    maySetUp(person) === 'everywhere'
      ? sql`true`
      : sql`not exists (select 1 from (${verticalsOf}) v where not v.vertical_id = ${own(person)})`,
});

const own = (person: SignedIn, page = 'setup'): RawBuilder<unknown> => sql`any(${pageVerticals(person, page)}::uuid[])`;
