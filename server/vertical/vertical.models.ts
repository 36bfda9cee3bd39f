/** Regions, verticals and the fields of a vertical's leads. */
import { sql } from 'kysely';
import { z } from 'zod';
import { isFreeFieldName } from '#contract/field-name.ts';
import { FIELD_OPTIONS } from '#contract/tier.ts';
import { readFieldPatterns } from '#engine/field.ts';
import { BANK_MOVE, BIN_MOVE } from '#engine/move.ts';
import { newId } from '#server/kit/ids.ts';
import { refused } from '#server/record/record-condition.ts';
import type { RecordModel, Row, Tx } from '#server/record/record-model.ts';
import { name, updatedAt, version } from '#server/record/shared-fields.ts';
import { mayEnterVertical, mayOpenPageIn, maySetUp } from '#server/session/session.policy.ts';
import { mayRunOrganization } from '#server/team/team.policy.ts';
import { requireSoundRules } from './field-change.ts';

const slug = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/, 'may hold small letters, digits and hyphens, at most 60');
const NAME_OF_EVERY_OBJECT =
  'is a name that every object of a program has by itself. Choose another, such as its plural or one with an ending';
const primaryFieldName = z
  .string()
  .regex(/^[A-Za-z_]\w{0,62}$/)
  .refine(isFreeFieldName, NAME_OF_EVERY_OBJECT);
const RESERVED = ['no-vertical', 'none', '9999'];
const freeSlug = slug.refine((text) => !RESERVED.includes(text), 'is kept for the product itself');

export const region: RecordModel = {
  model: 'region',
  label: 'Region',
  table: 'region',
  organizationColumn: 'organization_id',
  fields: {
    name,
    slug: { column: 'slug', write: freeSlug, required: true, fixed: true },
    country: { column: 'country', write: z.enum(['us', 'uk']), required: true, fixed: true },
    status: { column: 'status', write: z.literal('active') },
    verticalCount: {
      column: 'vertical_count',
      kind: 'number',
      expression: sql`(select count(*)::int from vertical x where x.organization_id = t.organization_id and x.region_id = t.id and x.status <> 'archived')`,
    },
    version,
    updatedAt,
  },
  mayRead: () => true,
  mayReadRow: (person, row) => mayRunOrganization(person) || person.permissions.some((one) => one.regionId === row.id && one.regionChecked),
  mayWrite: mayRunOrganization,
  mayAdd: mayRunOrganization,
  removal: 'archive',
  search: ['name', 'slug'],
  uniqueNames: [{ field: 'name' }, { field: 'slug', key: 'region_organization_id_slug_key' }],
  unique: {
    region_organization_id_slug_key: {
      field: 'slug',
      code: 'region_slug_taken',
      message: 'Another region, maybe an archived one, has this name in addresses.',
    },
  },
  async uses(tx, organizationId, row) {
    const verticals = await tx
      .selectFrom('vertical')
      .select('name')
      .where('organization_id', '=', organizationId)
      .where('region_id', '=', String(row.id))
      .where('status', '<>', 'archived')
      .execute();
    return verticals.map((vertical) => `The vertical ${vertical.name} lies in it.`);
  },
  routes: true,
  logged: true,
};

export const vertical: RecordModel = {
  model: 'vertical',
  label: 'Vertical',
  table: 'vertical',
  organizationColumn: 'organization_id',
  parent: { model: 'region', field: 'regionId', entityKey: 'verticals' },
  fields: {
    name,
    slug: { column: 'slug', write: freeSlug, required: true, fixed: true },
    uid: { column: 'uid' },
    regionId: { column: 'region_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'region' },
    regionName: { column: 'region_name', nameFrom: { table: 'region', by: 'region_id' } },
    primaryField: { column: 'primary_field', write: primaryFieldName, required: true },
    status: { column: 'status', write: z.literal('active') },
    fieldCount: {
      column: 'field_count',
      kind: 'number',
      expression: sql`(select count(*)::int from field x where x.organization_id = t.organization_id and x.vertical_id = t.id)`,
    },
    campaignCount: {
      column: 'campaign_count',
      kind: 'number',
      expression: sql`(select count(*)::int from campaign x where x.organization_id = t.organization_id and x.vertical_id = t.id and x.status <> 'archived')`,
    },
    version,
    updatedAt,
  },
  mayRead: () => true,
  mayReadRow: (person, row) => mayEnterVertical(person, String(row.region_id), String(row.id)),
  mayAddTo: (person, row, page) => mayOpenPageIn(person, page, String(row.id)),
  mayWrite: mayRunOrganization,
  mayAdd: mayRunOrganization,
  // Its fields stay with it, so that its leads stay readable.
  removal: 'archive',
  search: ['name', 'slug', 'regionName'],
  uniqueNames: [
    { field: 'name', within: 'regionId' },
    { field: 'slug', within: 'regionId', key: 'vertical_organization_id_region_id_slug_key' },
  ],
  unique: {
    vertical_organization_id_region_id_slug_key: {
      field: 'slug',
      code: 'vertical_slug_taken',
      message: 'Another vertical of the region, maybe an archived one, has this name in addresses.',
    },
  },
  async begin() {
    return { uid: newId() };
  },
  async uses(tx, organizationId, row) {
    const living = (table: 'campaign' | 'buyer_tier' | 'service' | 'card' | 'landing_page' | 'payment_processor' | 'export_feed') =>
      tx
        .selectFrom(table)
        .select('name')
        .where('organization_id', '=', organizationId)
        .where('vertical_id', '=', String(row.id))
        .where('status', '<>', 'archived')
        .execute();
    const [campaigns, tiers] = [await living('campaign'), await living('buyer_tier')];
    const [services, cards, pages] = [await living('service'), await living('card'), await living('landing_page')];
    const processors = await living('payment_processor');
    const feeds = await living('export_feed');
    return [
      ...campaigns.map((one) => `The campaign ${one.name} lies in it.`),
      ...tiers.map((one) => `The buyer tier ${one.name} lies in it.`),
      ...services.map((one) => `The third-party service ${one.name} lies in it.`),
      ...cards.map((one) => `The card ${one.name} lies in it.`),
      ...pages.map((one) => `The landing page ${one.name} lies in it.`),
      ...processors.map((one) => `The payment processor ${one.name} lies in it.`),
      ...feeds.map((one) => `The feed ${one.name} sends its leads.`),
    ];
  },
  async check(tx, person, changed, row) {
    // A new vertical names its primary field before the field itself can be added.
    if (changed.primaryField === undefined || changed.slug !== undefined) return;
    const found = await tx
      .selectFrom('field')
      .select('id')
      .where('organization_id', '=', person.organizationId)
      .where('vertical_id', '=', String(row.id))
      .where('field_name', '=', String(row.primary_field))
      .executeTakeFirst();
    if (!found) throw refused('primaryField', 'field_unknown', 'The vertical has no such field.');
  },
  routes: true,
  logged: true,
};

const bound = z.number().min(-1e12).max(1e12).nullable();
const count = z.int().min(0).max(5000).nullable();
const TYPES = [
  'string',
  'email',
  'phone',
  'url',
  'number',
  'integer',
  'date',
  'boolean',
  'choice',
  'state',
  'zip',
  'ip',
  'money',
  'routing',
  'bin',
] as const;
/** A vertical has one field of each: what is looked up of a lead is its bank and its BIN. */
const ONCE = { routing: 'routing number', bin: 'BIN' } as const;
/** Names under which rules know what was looked up. */
const LOOKED_UP = [BANK_MOVE, BIN_MOVE];

export const field: RecordModel = {
  model: 'field',
  label: 'Field',
  table: 'field',
  organizationColumn: 'organization_id',
  parent: { model: 'vertical', field: 'verticalId', entityKey: 'fields' },
  locksParent: true,
  position: 'position',
  fields: {
    fieldName: {
      column: 'field_name',
      write: z
        .string()
        .regex(/^[A-Za-z_]\w{0,62}$/, 'may hold letters, digits and underscores, at most 63')
        .refine((text) => !LOOKED_UP.includes(text), 'is kept for the move of the bank or BIN')
        .refine(isFreeFieldName, NAME_OF_EVERY_OBJECT),
      required: true,
      fixed: true,
    },
    fieldHumanName: { column: 'field_human_name', write: name.write!, required: true },
    verticalId: { column: 'vertical_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'vertical' },
    type: { column: 'type', write: z.enum(TYPES), required: true },
    required: { column: 'required', kind: 'boolean', write: z.boolean() },
    minChar: { column: 'min_char', kind: 'number', write: count },
    maxChar: { column: 'max_char', kind: 'number', write: count },
    min: { column: 'min_value', kind: 'number', write: bound, read: (stored: string | null) => (stored === null ? null : Number(stored)) },
    max: { column: 'max_value', kind: 'number', write: bound, read: (stored: string | null) => (stored === null ? null : Number(stored)) },
    pattern: { column: 'pattern', write: z.string().max(500).nullable() },
    options: {
      column: 'options',
      kind: 'texts',
      write: z.array(z.string().min(1).max(FIELD_OPTIONS.longest)).max(FIELD_OPTIONS.most).nullable(),
    },
    privacyClass: { column: 'privacy_class', write: z.enum(['P0', 'P1', 'P2', 'P3']), required: true },
    inPing: { column: 'in_ping', kind: 'boolean', write: z.boolean() },
    searchable: { column: 'searchable', kind: 'boolean', write: z.boolean() },
    position: { column: 'position', kind: 'number' },
    version,
    updatedAt,
  },
  verticalOf: sql`t.vertical_id`,
  mayRead: (person) => maySetUp(person) !== false,
  mayWrite: (person) => maySetUp(person) !== false,
  mayAdd: (person) => maySetUp(person) !== false,
  removal: 'delete',
  nameOf: (row) => String(row.field_human_name),
  search: ['fieldName', 'fieldHumanName'],
  uniqueNames: [{ field: 'fieldName', within: 'verticalId' }],
  unique: {
    field_organization_id_vertical_id_field_name_key: {
      field: 'fieldName',
      code: 'field_name_taken',
      message: 'The vertical has a field with this name.',
    },
  },
  uses: whereFieldStands,
  async check(tx, person, _changed, row, before) {
    const { min_char, max_char, min_value, max_value, pattern, options } = row;
    if (min_char !== null && max_char !== null && Number(min_char) > Number(max_char))
      throw refused('maxChar', 'field_invalid', 'must not be under the least length');
    if (min_value !== null && max_value !== null && Number(min_value) > Number(max_value))
      throw refused('max', 'field_invalid', 'must not be under the least value');
    if (pattern && pattern !== before?.pattern) await requirePattern(tx, person.organizationId, row);
    if (row.type === 'choice' && !(options as string[] | null)?.length)
      throw refused('options', 'field_invalid', 'A choice needs at least one option.');
    if (row.type !== before?.type) await requireOnly(tx, person.organizationId, row);
    if (before) await requireSoundRules(tx, person.organizationId, before, row);
  },
  routes: true,
  logged: true,
};

async function requireOnly(tx: Tx, organizationId: string, row: Row): Promise<void> {
  const what = ONCE[row.type as keyof typeof ONCE];
  if (!what) return;
  const other = await tx
    .selectFrom('field')
    .select('field_human_name')
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', String(row.vertical_id))
    .where('type', '=', String(row.type))
    .where('id', '<>', String(row.id))
    .executeTakeFirst();
  if (other) throw refused('type', 'field_invalid', `The vertical has a field for the ${what} already: ${other.field_human_name}.`);
}

/** The pattern itself, and that it is not too much beside those of the other fields, which every lead meets as well. */
async function requirePattern(tx: Tx, organizationId: string, row: Row): Promise<void> {
  const others = await tx
    .selectFrom('field')
    .select(['field_name as fieldName', 'pattern'])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', String(row.vertical_id))
    .where('id', '<>', String(row.id))
    .where('pattern', 'is not', null)
    .execute();
  const fields = [...others, { fieldName: row.field_name, pattern: row.pattern }] as { fieldName: string; pattern: string }[];
  const problem = readFieldPatterns(fields).get(String(row.field_name));
  if (typeof problem === 'string') throw refused('pattern', 'field_invalid', problem);
}

/** Where rules and mappings of the vertical name the field. */
async function whereFieldStands(tx: Tx, organizationId: string, row: Row): Promise<string[]> {
  const { vertical_id, field_name, type } = row as Record<string, string>;
  const move = type === 'routing' ? BANK_MOVE : type === 'bin' ? BIN_MOVE : field_name!;
  const primary = await tx
    .selectFrom('vertical')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', vertical_id!)
    .where('primary_field', '=', field_name!)
    .executeTakeFirst();
  // A name in quotes inside a rule's JSON is the field, or a value that is spelled the same: better asked once too often.
  const quoted = `%${JSON.stringify(field_name)}%`;
  const byMove = `%${JSON.stringify(move)}%`;
  const named = await sql<{ what: string }>`
    select 'Buyer tier ' || name as what from buyer_tier where organization_id = ${organizationId}::uuid and vertical_id = ${vertical_id}::uuid and status <> 'archived'
      and (filter::text like ${quoted} or filter::text like ${byMove} or duplicate::text like ${quoted} or endpoint::text like ${quoted} or endpoint::text like ${`%{{%${field_name}%}}%`})
    union all
    select 'Third-party service ' || name from service where organization_id = ${organizationId}::uuid and vertical_id = ${vertical_id}::uuid and status <> 'archived'
      and (endpoint::text like ${quoted} or endpoint::text like ${`%{{%${field_name}%}}%`})
    union all
    select 'Publisher tier ' || t.name from publisher_tier t join campaign c on c.organization_id = t.organization_id and c.id = t.campaign_id
      where t.organization_id = ${organizationId}::uuid and c.vertical_id = ${vertical_id}::uuid and t.status <> 'archived'
      and (t.filter::text like ${quoted} or t.filter::text like ${byMove} or t.duplicate::text like ${quoted})
    union all
    select 'The lander of card ' || name from card where organization_id = ${organizationId}::uuid and vertical_id = ${vertical_id}::uuid and status <> 'archived'
      and has_lander and ${field_name} = any(lander_fields)
    union all
    select 'Campaign ' || name from campaign where organization_id = ${organizationId}::uuid and vertical_id = ${vertical_id}::uuid and status <> 'archived'
      and test_values ->> 'field' = ${field_name}`.execute(tx);
  return [...(primary ? [`It is the primary field of ${primary.name}.`] : []), ...named.rows.map(({ what }) => `${what} names it.`)];
}
