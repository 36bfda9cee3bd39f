/** Cards with their landers, as their pages and the generic data calls know them. */
import { sql } from 'kysely';
import { z } from 'zod';
import { cardWebsite, designColor, designKey, isPhone, socialMedia } from '#contract/card.ts';
import { DESCRIPTION_MAX_LENGTH } from '#contract/card-design.ts';
import { isHiddenField } from '#contract/lander-check.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { findTierOf } from '#server/publisher/tier-kind.ts';
import type { RecordModel, Row, Tx } from '#server/record/record-model.ts';
import { name, optionalLine, status, updatedAt, version } from '#server/record/shared-fields.ts';
import { mayOpenSomewhere } from '#server/session/session.policy.ts';
import { isBlankHtml, sanitise } from './sanitise.ts';

const isSetUp = (person: Parameters<typeof mayOpenSomewhere>[0]) => mayOpenSomewhere(person, 'setup');
const LAST_DAYS = 30;
const sumOf = (column: string) =>
  sql`(select coalesce(sum(d.${sql.ref(column)}), 0)::int from card_day d where d.organization_id = t.organization_id and d.card_id = t.id
    and d.day > current_date - ${sql.lit(LAST_DAYS)}::int)`;
const text = (most: number) => z.string().max(most);
/** Made safe it may be longer than it was written. */
const safeDescription = text(DESCRIPTION_MAX_LENGTH)
  .transform(sanitise)
  .refine(
    (html) => html.length <= DESCRIPTION_MAX_LENGTH,
    `has more than ${DESCRIPTION_MAX_LENGTH} characters once it is HTML: links and signs take several`,
  );

export const card: RecordModel = {
  model: 'card',
  label: 'Card',
  table: 'card',
  organizationColumn: 'organization_id',
  fields: {
    name,
    verticalId: { column: 'vertical_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'vertical' },
    status,
    title: { column: 'title', write: optionalLine(120) },
    company: { column: 'company', write: optionalLine(120) },
    email: { column: 'email', write: z.union([z.literal(''), z.email('must be an e-mail address').max(254)]) },
    phone: { column: 'phone', write: z.string().refine((text) => text === '' || isPhone(text), 'must be a phone number') },
    website: { column: 'website', write: cardWebsite },
    additional_information: { column: 'additional_information', write: text(2_000) },
    socialMedia: { column: 'social_media', kind: 'json', write: socialMedia },
    designKey: { column: 'design_key', write: designKey },
    design_color_hash: { column: 'design_color_hash', write: designColor },
    avatarAt: { column: 'avatar_at', kind: 'time' },
    hasLander: { column: 'has_lander', kind: 'boolean', write: z.boolean() },
    publisherTierId: { column: 'publisher_tier_id', kind: 'id', write: z.uuid().nullable(), refers: 'publisherTier' },
    landerDescription: { column: 'lander_description', write: safeDescription },
    landerFields: { column: 'lander_fields', kind: 'texts', write: z.array(z.string().max(60)).max(60) },
    consentText: { column: 'consent_text', write: text(2_000) },
    cardViews: { column: 'card_views', kind: 'number', expression: sumOf('card_views') },
    landerViews: { column: 'lander_views', kind: 'number', expression: sumOf('lander_views') },
    submissions: { column: 'submissions', kind: 'number', expression: sumOf('submissions') },
    sold: { column: 'sold', kind: 'number', expression: sumOf('sold') },
    version,
    updatedAt,
  },
  verticalOf: sql`t.vertical_id`,
  mayRead: isSetUp,
  mayWrite: isSetUp,
  mayAdd: isSetUp,
  removal: 'archive',
  search: ['name', 'company', 'title', 'email'],
  async check(tx, person, _changed, row, before) {
    if (row.design_key === 'custom' && row.design_color_hash === '')
      throw wrong('design_color_hash', 'Choose the colour of your own design.');
    if (row.publisher_tier_id !== (before?.publisher_tier_id ?? null)) await requireLanderTier(tx, person.organizationId, row);
    if (row.has_lander) await checkLander(tx, person.organizationId, row);
  },
  logged: true,
};

const wrong = (field: string, message: string): HttpError =>
  new HttpError(400, 'record_value_invalid', message, { errors: [{ field, message }] });

const NO_TIER = 'Choose a publisher tier of this vertical that is not archived.';

/** A card that had its tier before there were tiers for landers keeps it until it is given another. */
async function requireLanderTier(tx: Tx, organizationId: string, row: Row): Promise<void> {
  if (row.publisher_tier_id === null) return;
  const tier = await findTierOf(tx, organizationId, String(row.publisher_tier_id), String(row.vertical_id));
  if (!tier) throw wrong('publisherTierId', NO_TIER);
  if (tier.kind !== 'lander')
    throw wrong(
      'publisherTierId',
      `${tier.name} takes posted leads. Choose a publisher tier that takes leads from landers, or add one for this lander.`,
    );
}

/** A lander that is shown must be able to make leads. */
async function checkLander(tx: Tx, organizationId: string, row: Row): Promise<void> {
  if (!row.publisher_tier_id) throw wrong('publisherTierId', 'Choose the publisher tier whose leads the lander makes.');
  if (isBlankHtml(String(row.lander_description))) throw wrong('landerDescription', 'Say what the form is for.');
  if (!(await findTierOf(tx, organizationId, String(row.publisher_tier_id), String(row.vertical_id))))
    throw wrong('publisherTierId', NO_TIER);
  const chosen = row.lander_fields as string[];
  const fields = await tx
    .selectFrom('field')
    .select(['field_name', 'field_human_name', 'required', 'type'])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', String(row.vertical_id))
    .execute();
  const unknown = chosen.find((one) => !fields.some(({ field_name }) => field_name === one));
  if (unknown !== undefined) throw wrong('landerFields', `The vertical has no field "${unknown}".`);
  const hidden = [...chosen, ...fields.flatMap((one) => (one.required ? one.field_name : []))].find(isHiddenField);
  if (hidden !== undefined)
    throw wrong(
      'landerFields',
      `No form shows "${hidden}", as ${hidden.startsWith('dc_') ? 'its name begins with dc_' : 'a form’s answer calls its card so'}, and so nobody can fill it in.`,
    );
  if (chosen.length === 0) throw wrong('landerFields', 'Choose at least one field.');
  // An address is told by the call, and asked of nobody.
  const missing = fields.filter(({ field_name, required, type }) => required && type !== 'ip' && !chosen.includes(field_name));
  if (missing.length > 0)
    throw wrong(
      'landerFields',
      `Every lead needs ${missing.map((one) => one.field_human_name || one.field_name).join(', ')}: choose these fields too.`,
    );
}
