/** A lead that came before, to be tried again in the lab. Its personal values are used, and never shown. */
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { findLeadPlace } from '#server/lead/lead-view.sql.ts';
import { isMasked, maskValue } from '#server/lead/mask.ts';
import { openStoredFields } from '#server/lead/stored-fields.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { Change } from '#server/record/record-change.ts';
import { mayOpenPage, mayReadLeads } from '#server/session/session.policy.ts';
import { LAB_PAGE } from './lab-place.ts';

export interface PastLead {
  publisherTierId: string;
  verticalId: string;
  fields: Record<string, string>;
}

/** 404 `lead_unknown` where the person may not read it, or has no lab in its vertical. */
export async function requirePastLead({ tx, person }: Change, organization: OrganizationPlan, leadId: string): Promise<PastLead> {
  const place = isId(leadId) ? await findLeadPlace(tx, person.organizationId, leadId) : undefined;
  const may =
    place && mayReadLeads(person, place.regionId, place.verticalId) && mayOpenPage(person, LAB_PAGE, place.regionId, place.verticalId);
  if (!may) throw new HttpError(404, 'lead_unknown', 'There is no lead with this id, or you may not see it.');
  const row = await tx
    .selectFrom('lead')
    .select(['fields', 'publisher_tier_id'])
    .where('organization_id', '=', person.organizationId)
    .where('id', '=', leadId)
    .executeTakeFirstOrThrow();
  const { fields } = openStoredFields(organization.keys, leadId, row.fields);
  return { publisherTierId: row.publisher_tier_id, verticalId: place.verticalId, fields };
}

export async function findPastLead(change: Change, organization: OrganizationPlan, leadId: string) {
  const past = await requirePastLead(change, organization, leadId);
  const known = new Map(organization.plan.verticals.get(past.verticalId)?.config.fields.map((field) => [field.fieldName, field]));
  const fields = Object.entries(past.fields).map(([name, value]) => {
    const field = known.get(name);
    return [name, { value: maskValue(field, value), isMasked: isMasked(field) }] as const;
  });
  return { status: true as const, publisherTierId: past.publisherTierId, fields: Object.fromEntries(fields) };
}
