/** Who was sent which field of a lead, read off what went over the wire: what a mapping says today need not be what it said then. */
import type { SeenBy } from '#contract/data-request.ts';
import type { FieldConfig } from '#engine/plan.ts';
import type { StoredWire } from '#server/lead/intake.ts';
import type { LeadRecord } from '#server/lead/lead-view.sql.ts';
import { isMasked } from '#server/lead/mask.ts';
import { maskSent, maskUrl } from '#server/lead/mask-document.ts';
import { type Masking, openMasking } from '#server/lead/mask-text.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

interface SentField {
  /** No two have one; two labels may be the same. */
  fieldName: string;
  label: string;
  isIn: (sent: { text: string; leaves: ReadonlySet<string> }) => boolean;
}

export function disclosures(organization: OrganizationPlan, record: LeadRecord, fields: readonly FieldConfig[]): SeenBy[] {
  const sought = soughtFields(record, fields);
  const buyer = (id: string) => {
    const wire = organization.buyerWires.get(id);
    return wire ? `${wire.buyerName}, ${wire.name}` : 'a buyer tier that is gone';
  };
  const seen = (who: string, what: SeenBy['what'], at: Date | null, wire: StoredWire | undefined): SeenBy[] => {
    const sent = wire?.request ? sentIn(wire.request, sought) : [];
    if (sent.length === 0 || !at) return [];
    const [fields, fieldNames] = [sent.map(({ label }) => label), sent.map(({ fieldName }) => fieldName)];
    return [{ who, what, at: at.toISOString(), fields, fieldNames }];
  };
  return [
    ...record.checks.flatMap((one) =>
      seen(organization.serviceWires.get(one.service_id)?.name ?? 'a service that is gone', 'check', one.started_at, one.wire),
    ),
    ...record.attempts.flatMap((one) =>
      seen(buyer(one.buyer_tier_id), one.leg as 'ping' | 'post', one.started_at, record.wires[one.attempt_index]),
    ),
    ...record.notices.flatMap((one) => seen(buyer(one.buyer_tier_id), 'lost', one.started_at, one.wire)),
  ];
}

/** The names of the fields that this one buyer was sent, at ping or post, by any of its tiers. */
export function fieldsSentTo(record: LeadRecord, fields: readonly FieldConfig[], buyerId: string): ReadonlySet<string> {
  const sought = soughtFields(record, fields);
  const requests = record.attempts.flatMap((one) => (one.buyer_id === buyerId ? (record.wires[one.attempt_index]?.request ?? []) : []));
  return new Set(requests.flatMap((request) => sentIn(request, sought).map(({ fieldName }) => fieldName)));
}

function soughtFields({ stored }: LeadRecord, fields: readonly FieldConfig[]): SentField[] {
  const known = fields.flatMap((field): SentField[] => {
    const value = stored.fields[field.fieldName];
    if (value === undefined) return [];
    const label = field.fieldHumanName || field.fieldName;
    return [
      {
        fieldName: field.fieldName,
        label,
        isIn: isMasked(field) ? personal(field, value) : ({ leaves }) => leaves.has(value.toLowerCase()),
      },
    ];
  });
  const others = Object.entries(stored.unknown).map(([name, value]) => ({
    fieldName: name,
    label: name,
    isIn: personal(undefined, String(value)),
  }));
  return [...known, ...others];
}

/** In whatever spelling: what masking would hide was sent. */
function personal(field: FieldConfig | undefined, value: string): SentField['isIn'] {
  const masking = openMasking([{ field, value }]);
  return ({ text, leaves }) => masking.text(text) !== text || [...leaves].some((leaf) => masking.sentLeaf(leaf) !== leaf);
}

function sentIn(request: NonNullable<StoredWire['request']>, sought: readonly SentField[]): SentField[] {
  const leaves = new Set<string>();
  const keep = (text: string): string => {
    leaves.add(text.toLowerCase());
    return text;
  };
  const collecting: Masking = { leaf: keep, sentLeaf: keep, name: (text) => text, text: (text) => text };
  maskUrl(collecting, request.url);
  maskSent(collecting, request.body ?? '');
  Object.values(request.headers).forEach(keep);
  const sent = { text: [request.url, request.body ?? '', ...Object.values(request.headers)].join('\n'), leaves };
  return sought.filter(({ isIn }) => isIn(sent));
}
