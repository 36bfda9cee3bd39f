/** Sample leads and refused calls of a consumer: masked for the screen, or whole for who asked for their data. */
import type { HeldCall, HeldSample } from '#contract/data-request.ts';
import type { FieldConfig } from '#engine/plan.ts';
import { idInstant } from '#server/kit/ids.ts';
import { isMasked, leavesOf, maskPersonal } from '#server/lead/mask.ts';
import { maskOpen, readPosted } from '#server/lead/mask-posting.ts';
import { type Masking, openMasking } from '#server/lead/mask-text.ts';
import { isRefusal } from '#server/lead/posting.read.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { FoundCall, FoundSample } from './find-beside.ts';

export const viewSample = (organization: OrganizationPlan, { id, name, verticalId, fields }: FoundSample): HeldSample => ({
  _id: id,
  // Somebody may have called it by its person.
  name: maskingOf(organization, verticalId, fields).text(name),
  verticalName: verticalNamed(organization, verticalId),
  fields: maskedFields(organization, verticalId, fields),
});

export const viewRefusedCall = (organization: OrganizationPlan, found: FoundCall): HeldCall => ({
  _id: found.id,
  ...told(organization, found),
  fields: maskedFields(organization, found.verticalId, fieldsOfCall(found) ?? {}),
});

/** With every value as it is kept. */
export const wholeSample = (organization: OrganizationPlan, { id, name, verticalId, fields }: FoundSample) => ({
  madeAt: instantOf(id),
  vertical: verticalNamed(organization, verticalId),
  name,
  fields,
});
export type WholeSample = ReturnType<typeof wholeSample>;

/** A body that cannot be read as a lead is given as the text it is. */
export function wholeCall(organization: OrganizationPlan, found: FoundCall) {
  const { at, verticalName: vertical, publisherName, publisherTierName, code } = told(organization, found);
  const fields = fieldsOfCall(found);
  return {
    receivedAt: at,
    ...{ vertical, publisher: publisherName, publisherTier: publisherTierName, code },
    fields: fields ?? {},
    ...(!fields && { body: found.call.body }),
    address: found.call.ip,
  };
}
export type WholeCall = ReturnType<typeof wholeCall>;

function told(organization: OrganizationPlan, { id, publisherTierId, verticalId, code }: FoundCall) {
  const seat = organization.publisherSeats.get(publisherTierId);
  return {
    at: instantOf(id),
    publisherName: seat?.publisherName ?? '',
    publisherTierName: seat?.name ?? '',
    verticalName: verticalNamed(organization, verticalId),
    code,
  };
}

/** Without what was said about the call itself, its key among it. */
function fieldsOfCall({ call }: FoundCall): Record<string, unknown> | undefined {
  const posting = readPosted(call);
  return isRefusal(posting) ? undefined : posting.fields;
}

/** Nothing of it was ever checked: every value is somebody's, but what is too short to be. */
function maskedFields(organization: OrganizationPlan, verticalId: string, values: Record<string, unknown>): HeldSample['fields'] {
  const known = knownFields(organization, verticalId);
  const masking = maskingOf(organization, verticalId, values);
  return Object.entries(values).flatMap(([name, value]) => {
    const field = known.get(name);
    const fieldName = field ? name : masking.name(name);
    const shown = leavesOf(value).map((leaf) => (isMasked(field) ? maskPersonal(field, leaf) : maskOpen(masking, leaf, false)));
    return shown.length === 0 ? [] : [{ fieldName, label: field?.fieldHumanName || fieldName, value: shown.join(', ') }];
  });
}

function maskingOf(organization: OrganizationPlan, verticalId: string, values: Record<string, unknown>): Masking {
  const known = knownFields(organization, verticalId);
  const personal = Object.entries(values).filter(([name]) => isMasked(known.get(name)));
  return openMasking(personal.flatMap(([name, value]) => leavesOf(value).map((leaf) => ({ field: known.get(name), value: leaf }))));
}

const knownFields = (organization: OrganizationPlan, verticalId: string): Map<string, FieldConfig> =>
  new Map(organization.plan.verticals.get(verticalId)?.config.fields.map((field) => [field.fieldName, field]));

const verticalNamed = (organization: OrganizationPlan, id: string): string => organization.plan.verticals.get(id)?.config.name ?? '';
const instantOf = (id: string): string => new Date(idInstant(id)).toISOString();
