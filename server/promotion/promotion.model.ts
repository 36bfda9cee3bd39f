/** Promotions, as their page and the generic data calls know them. */
import { sql } from 'kysely';
import { z } from 'zod';
import { promotionDay, promotionRaise, promotionTarget, promotionZone } from '#contract/promotion.ts';
import { amountText } from '#contract/tier.ts';
import type { PromotionTarget } from '#engine/plan.ts';
import { compilePromotion } from '#engine/promotion.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { refuseFaults } from '#server/plan/check-tier.ts';
import type { RecordModel, Row, Tx } from '#server/record/record-model.ts';
import { amount, name, notes, readMoneyOf, ruleFields, status, storeMoneyOf, updatedAt, version } from '#server/record/shared-fields.ts';
import { mayOpenSomewhere } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { EXTRA_PAID, listTargets, PHASE, type PromotionRow, readPromotion, SOLD_LEADS, TARGET_NAME } from './promotion.sql.ts';

const mayPromote = (person: SignedIn) => mayOpenSomewhere(person, 'promotions');

export const promotion: RecordModel = {
  model: 'promotion',
  label: 'Promotion',
  table: 'promotion',
  organizationColumn: 'organization_id',
  page: 'promotions',
  fields: {
    name,
    verticalId: { column: 'vertical_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'vertical' },
    status,
    notes,
    target: { column: 'target', kind: 'json', write: promotionTarget, required: true },
    targetName: { column: 'target_name', expression: TARGET_NAME },
    raise: {
      column: 'raise',
      kind: 'json',
      write: promotionRaise,
      required: true,
      store: storeMoneyOf('amount'),
      read: readMoneyOf('amount'),
    },
    fromOn: { column: 'from_on', write: promotionDay, required: true },
    toOn: { column: 'to_on', write: promotionDay.nullable() },
    timeZone: { column: 'time_zone', write: promotionZone, required: true },
    hours: ruleFields.hours,
    leadCap: { column: 'lead_cap', kind: 'number', write: z.int().min(0).max(1_000_000_000).nullable() },
    moneyCap: amount('money_cap', amountText.nullable()),
    belowMargin: { column: 'below_margin', kind: 'boolean', write: z.boolean() },
    phase: { column: 'phase', expression: PHASE },
    soldLeads: { column: 'sold_leads', kind: 'number', expression: SOLD_LEADS },
    extraPaid: { column: 'extra_paid', kind: 'amount', expression: EXTRA_PAID, read: (sum: string) => money(sum) },
    version,
    updatedAt,
  },
  verticalOf: sql`t.vertical_id`,
  mayRead: mayPromote,
  mayWrite: mayPromote,
  mayAdd: mayPromote,
  removal: 'archive',
  search: ['name', 'targetName', 'notes'],
  uniqueNames: [{ field: 'name', within: 'verticalId' }],
  async check(tx, person, changed, row) {
    if (row.to_on !== null && String(row.to_on) < String(row.from_on)) throw refused('toOn', 'The last day must not be before the first.');
    const compiled = compilePromotion(readPromotion(row as unknown as PromotionRow));
    if (typeof compiled === 'string') refuseFaults([{ field: 'raise', text: compiled }]);
    if (changed.target !== undefined) await requireTarget(tx, person, row);
  },
  routes: true,
  logged: true,
};

/** Somebody of this vertical who is not archived; a sub id may be one that is given to a tier later. */
async function requireTarget(tx: Tx, person: SignedIn, row: Row): Promise<void> {
  const target = row.target as PromotionTarget;
  const known = await listTargets(tx, person.organizationId, String(row.vertical_id));
  const isThere = (ones: { _id: string }[], id: string) => ones.some(({ _id }) => _id === id);
  switch (target.kind) {
    case 'publisherTier':
      if (!isThere(known.publisherTiers, target.publisherTierId)) throw unknownTarget('publisher tier');
      break;
    case 'publisher':
      if (!isThere(known.publishers, target.publisherId)) throw unknownTarget('publisher');
      break;
    case 'campaign':
      if (!isThere(known.campaigns, target.campaignId)) throw unknownTarget('campaign');
      break;
    case 'subId':
      break;
  }
}

const unknownTarget = (word: string): HttpError => {
  const message = `There is no such ${word} in this vertical, or it is archived. Choose another.`;
  return new HttpError(404, 'promotion_target_unknown', message, { errors: [{ field: 'target', message }] });
};

const refused = (field: string, message: string): HttpError =>
  new HttpError(400, 'record_value_invalid', message, { errors: [{ field, message }] });
