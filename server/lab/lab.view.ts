/** What the testing lab offers in one vertical. */
import type { z } from 'zod';
import { testFlagsOf } from '#contract/endpoint.test-flag.ts';
import type { EndpointConfig } from '#contract/endpoint.ts';
import type { LabAnswer, LabField, LabTier, LabTreeAnswer, SimulatedSays } from '#contract/lab.ts';
import { sampleCandidates } from '#contract/sample-lead.ts';
import type { MarginView, testValues } from '#contract/tier.ts';
import type { TreeGroup } from '#contract/tree.ts';
import { normaliseLead } from '#engine/field.ts';
import { formatMoney } from '#engine/money.ts';
import type { FieldConfig, TierPrice } from '#engine/plan.ts';
import { listPosting, listVersions } from '#server/campaign/tree.sql.ts';
import { idInstant } from '#server/kit/ids.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { isMasked } from '#server/lead/mask.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { Change } from '#server/record/record-change.ts';
import { readMoneyOf } from '#server/record/shared-fields.ts';
import type { Place } from '#server/region/region.routes.ts';
import { mayOpenPage, mayReadLeads } from '#server/session/session.policy.ts';
import { listLabCampaigns, listLabTiers, listSamples } from './lab.sql.ts';

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
      settings: {
        margin: readMoneyOf('amount')(row.margin as Record<string, unknown>) as MarginView,
        floor: row.floor === null ? null : money(row.floor),
        maxSales: row.max_sales,
        timeLimitMs: row.time_limit_ms,
      },
      isTested: [...organization.plan.publisherTiers.values()].some(({ config, split }) => split && config.campaignId === row.id),
      versions: versions.map(({ id, note }) => ({ _id: id, publishedAt: new Date(idInstant(id)).toISOString(), note })),
      testValues: row.test_values as z.infer<typeof testValues> | null,
      publisherTiers: posting.map(({ id, name, status, publisher_name }) => ({ _id: id, name, status, publisherName: publisher_name })),
    });
  }
  const samples = await listSamples(tx, change.keys(), verticalId);
  return {
    status: true,
    fields: (vertical?.fields ?? []).map((field) => viewLabField(field, vertical!.country)),
    campaigns,
    samples: samples.map(({ id, name, fields, version }) => ({ _id: id, name, fields, version })),
    mayReadLeads: mayReadLeads(person, regionId, verticalId),
    mayPublish: mayOpenPage(person, 'setup', regionId, verticalId),
  };
}

/** The tiers of a tree; one that is gone since an older tree was published is left out. */
export async function viewLabTree({ tx, person }: Change, groups: readonly TreeGroup[]): Promise<LabTreeAnswer> {
  const ids = groups.flatMap(({ members }) => members.map(({ buyerTierId }) => buyerTierId));
  const rows = await listLabTiers(tx, person.organizationId, ids);
  const tiers = new Map(rows.map((row) => [row.id, viewLabTier(row)]));
  return {
    status: true,
    groups: groups.map(({ name, mode, members }) => ({
      name,
      mode,
      buyerTiers: members.flatMap(({ buyerTierId }) => tiers.get(buyerTierId) ?? []),
    })),
  };
}

function viewLabTier(row: Awaited<ReturnType<typeof listLabTiers>>[number]): LabTier {
  return {
    _id: row.id,
    name: row.name,
    buyerName: row.buyer_name,
    status: row.status,
    fixedPrice: fixedOf(row.price as TierPrice),
    says: (row.says as SimulatedSays | null) ?? 'buys',
    price: row.told_price === null ? null : money(row.told_price),
    testFlags: testFlagsOf(row.endpoint as EndpointConfig, row.delivery === 'pingPost'),
  };
}

export function viewLabField(field: FieldConfig, country: 'us' | 'uk'): LabField {
  const { fieldName, fieldHumanName, type, required, options } = field;
  return {
    fieldName,
    fieldHumanName,
    type,
    required,
    options: options ?? null,
    isPersonal: isMasked(field),
    sample: sampleOf(field, country),
  };
}

/** The likeliest value that the field's own rules let pass. */
function sampleOf(field: FieldConfig, country: 'us' | 'uk'): string {
  const { fieldName } = field;
  const alone = { id: '', slug: '', regionSlug: '', name: '', country, primaryField: fieldName, fields: [field] };
  const candidates = sampleCandidates(field, country);
  return candidates.find((value) => normaliseLead(alone, { [fieldName]: value }).errors.length === 0) ?? candidates[0]!;
}

const fixedOf = (price: TierPrice): string | null => (price.kind === 'fixed' ? formatMoney(price.price) : null);
