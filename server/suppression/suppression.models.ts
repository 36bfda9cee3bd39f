/** Suppression lists, as the list screens, the tiers' forms and the generic data calls know them; their entries come by imports. */
import { sql } from 'kysely';
import { z } from 'zod';
import { refused } from '#server/record/record-condition.ts';
import type { RecordModel } from '#server/record/record-model.ts';
import { name, notes, updatedAt, version } from '#server/record/shared-fields.ts';
import { mayEverything, pageVerticals } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { mayManageLists, mayReadLists } from './suppression.policy.ts';

/** `c`: whatever names the vertical. */
const isOpen = (person: SignedIn) =>
  mayEverything(person)
    ? sql<boolean>`true`
    : sql<boolean>`c.vertical_id = any(${['setup', 'dataMgmt-Configuration'].flatMap((page) => pageVerticals(person, page))}::uuid[])`;

export const suppressionList: RecordModel = {
  model: 'suppressionList',
  label: 'Suppression list',
  table: 'suppression_list',
  organizationColumn: 'organization_id',
  fields: {
    name,
    status: { column: 'status', write: z.literal('active') },
    holds: { column: 'holds', write: z.enum(['email', 'phone', 'text']), required: true, fixed: true },
    fieldName: {
      column: 'field_name',
      write: z
        .string()
        .regex(/^[A-Za-z_]\w{0,62}$/, 'may hold letters, digits and underscores, at most 63')
        .nullable(),
    },
    // What is kept could not be read as anything else.
    form: { column: 'form', write: z.enum(['plain', 'md5', 'sha1', 'sha256']), required: true, fixed: true },
    country: { column: 'country', write: z.enum(['us', 'uk']), fixed: true },
    entryDays: { column: 'entry_days', kind: 'number', write: z.int().min(1).max(3650).nullable() },
    notes,
    entryCount: { column: 'entry_count', kind: 'number' },
    useCount: {
      column: 'use_count',
      kind: 'number',
      expression: sql`((select count(*) from publisher_tier x where x.organization_id = t.organization_id and x.status <> 'archived' and t.id = any(x.suppression_lists))
        + (select count(*) from buyer_tier x where x.organization_id = t.organization_id and x.status <> 'archived' and t.id = any(x.suppression_lists)))::int`,
    },
    usedBy: {
      column: 'used_by',
      kind: 'json',
      // Tiers of verticals that are closed to the person have no names here.
      forPerson: (person) => sql`(select coalesce(jsonb_agg(u.what order by u.what), '[]') from (
        select case when ${isOpen(person)} then 'Publisher tier ' || x.name || ' of ' || p.name else 'A publisher tier of another vertical' end as what
          from publisher_tier x join campaign c on c.organization_id = x.organization_id and c.id = x.campaign_id
          join publisher p on p.organization_id = x.organization_id and p.id = x.publisher_id
          where x.organization_id = t.organization_id and x.status <> 'archived' and t.id = any(x.suppression_lists)
        union all
        select case when ${isOpen(person)} then 'Buyer tier ' || c.name || ' of ' || b.name else 'A buyer tier of another vertical' end
          from buyer_tier c join buyer b on b.organization_id = c.organization_id and b.id = c.buyer_id
          where c.organization_id = t.organization_id and c.status <> 'archived' and t.id = any(c.suppression_lists)) as u)`,
    },
    version,
    updatedAt,
  },
  mayRead: mayReadLists,
  mayWrite: mayManageLists,
  mayAdd: mayManageLists,
  removal: 'archive',
  search: ['name', 'notes'],
  uniqueNames: [{ field: 'name' }],
  uses: async (_tx, _organizationId, row) => (row.used_by as string[]).map((what) => `${what} uses it.`),
  async check(_tx, _person, _changed, row) {
    if (row.holds === 'text' && row.field_name === null)
      throw refused('fieldName', 'suppression_list_invalid', 'Name the field of a lead that the list is compared with.');
    if (row.holds !== 'text' && row.field_name !== null)
      throw refused(
        'fieldName',
        'suppression_list_invalid',
        'Only a list of texts names a field; others are compared with all of their kind.',
      );
  },
  routes: true,
  logged: true,
};
