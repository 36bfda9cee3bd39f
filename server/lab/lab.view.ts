/** What the testing lab offers in one vertical. */
import type { z } from 'zod';
import type { LabAnswer, labField } from '#contract/lab.ts';
import { sampleValue } from '#contract/sample-lead.ts';
import type { testValues } from '#contract/tier.ts';
import { formatMoney } from '#engine/money.ts';
import type { FieldConfig, TierPrice } from '#engine/plan.ts';
import { listPosting, listVersions } from '#server/campaign/tree.sql.ts';
import { idInstant } from '#server/kit/ids.ts';
import { isMasked } from '#server/lead/mask.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { Change } from '#server/record/record-change.ts';
import type { Place } from '#server/region/region.routes.ts';
import { mayOpenPage, mayReadLeads } from '#server/session/session.policy.ts';
import { listLabCampaigns, listLabTiers, listSamples, listSimulatedAnswers } from './lab.sql.ts';

export async function viewLab(change: Change, place: Place, organization: OrganizationPlan): Promise<LabAnswer> {
  const { tx, person } = change;
  const { organizationId } = person;
  const { regionId, verticalId } = place;
  const vertical = organization.plan.verticals.get(verticalId)?.config;
  const campaigns: LabAnswer['campaigns'] = [];
  for (const row of await listLabCampaigns(tx, organizationId, verticalId)) {
    const posting = await listPosting(tx, organizationId, row.id);
    const versions = await listVersions(tx, organizationId, row.id);
    campaigns.push({
      _id: row.id,
      name: row.name,
      hasDraft: row.draft_of !== null,
      isTested: [...organization.plan.publisherTiers.values()].some(({ config, split }) => split && config.campaignId === row.id),
      versions: versions.map(({ id, note }) => ({ _id: id, publishedAt: new Date(idInstant(id)).toISOString(), note })),
      testValues: row.test_values as z.infer<typeof testValues> | null,
      publisherTiers: posting.map(({ id, name, status, publisher_name }) => ({ _id: id, name, status, publisherName: publisher_name })),
    });
  }
  const told = new Map((await listSimulatedAnswers(tx, organizationId)).map((one) => [one.buyerTierId, one]));
  const tiers = await listLabTiers(tx, organizationId, verticalId);
  const samples = await listSamples(tx, change.keys(), verticalId);
  return {
    status: true,
    fields: (vertical?.fields ?? []).map((field) => viewLabField(field, vertical!.country)),
    campaigns,
    buyerTiers: tiers.map(({ id, name, status, delivery, price, buyer_name }) => ({
      _id: id,
      name,
      buyerName: buyer_name,
      status,
      delivery,
      fixedPrice: fixedOf(price as TierPrice),
      says: told.get(id)?.says ?? 'buys',
      price: told.get(id)?.price ?? null,
    })),
    samples: samples.map(({ id, name, fields, version }) => ({ _id: id, name, fields, version })),
    mayReadLeads: mayReadLeads(person, regionId, verticalId),
    mayPublish: mayOpenPage(person, 'setup', regionId, verticalId),
  };
}

export function viewLabField(field: FieldConfig, country: 'us' | 'uk'): z.infer<typeof labField> {
  const { fieldName, fieldHumanName, type, required, options } = field;
  return {
    fieldName,
    fieldHumanName,
    type,
    required,
    options: options ?? null,
    isPersonal: isMasked(field),
    sample: sampleValue(field, country),
  };
}

const fixedOf = (price: TierPrice): string | null => (price.kind === 'fixed' ? formatMoney(price.price) : null);
