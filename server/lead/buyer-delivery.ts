/** Sends one lead's calls over the wire: only the fields a buyer may see, late answers kept for reconciliation. */
import type { CampaignPlan } from '#engine/compiled.ts';
import type { BuyerCall } from '#engine/effect.ts';
import { formatMoney } from '#engine/money.ts';
import { type Delivery, deliver } from '#server/delivery/deliver.ts';
import type { Outbound } from '#server/delivery/outbound.ts';
import type { DeliveryContext, LeadValues } from '#server/delivery/wire.ts';
import { sealJson } from '#server/kit/crypto.ts';
import type { PublisherSeat } from '#server/plan/configuration.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { LateRow } from './record.sql.ts';

/** How calls leave this process; tests put a world of their own here. */
export interface Deliver {
  outbound: Outbound;
}

export interface DeliveryParts {
  deliver: Deliver;
  recordLate(late: LateRow): Promise<void>;
  clock: () => number;
}

export interface DeliveryAbout {
  organization: OrganizationPlan;
  seat: PublisherSeat;
  campaign: CampaignPlan | undefined;
  leadId: string;
  fields: Record<string, string>;
  test: boolean;
}

export function deliverOverWire(
  parts: DeliveryParts,
  about: DeliveryAbout,
): (call: BuyerCall, attemptIndex: number, traceparent?: string) => Promise<Delivery> {
  const { organization } = about;
  const full: LeadValues = about.fields;
  const shown = shownAtPing(about);
  return async (call, attemptIndex, traceparent) => {
    const buyer = organization.buyerWires.get(call.buyerTierId);
    if (!buyer?.wire) return unusable();
    const late = (delivery: Delivery) => void recordLate(parts, about, call, attemptIndex, delivery).catch(() => {});
    return deliver(
      parts.deliver.outbound,
      buyer.wire,
      call,
      call.leg === 'ping' ? shown : full,
      { ...contextOf(parts, about, buyer.opened), ...(traceparent && { traceparent }) },
      late,
    );
  };
}

/** Who has not bought sees only what the vertical allows in a ping (reliability H3). */
export function shownAtPing({ campaign, fields }: Pick<DeliveryAbout, 'campaign' | 'fields'>): LeadValues {
  const allowed = new Set(campaign?.vertical.config.fields.filter((field) => field.inPing).map((field) => field.fieldName));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => allowed.has(name)));
}

/** `secrets`: opened, those of the buyer tier or service that is called. */
export function contextOf(parts: { clock: () => number }, about: DeliveryAbout, secrets: Record<string, string>): DeliveryContext {
  const { organization, seat, campaign } = about;
  return {
    now: parts.clock(),
    leadId: about.leadId,
    affiliateId: seat.affiliateId,
    subId: seat.subId,
    currency: organization.plan.currency,
    test: about.test,
    secrets,
    ...(campaign && { campaignName: campaign.config.name, maxSales: campaign.config.maxSales }),
    ...(campaign?.config.floor !== undefined && { minimumPrice: campaign.config.floor }),
    ...(secrets.username !== undefined && { username: secrets.username }),
  };
}

function unusable(): Delivery {
  return {
    answer: { outcome: 'error', reasons: ['endpoint-unusable'], captures: {}, sent: false, elapsedMs: 0 },
    wire: { request: { method: '', url: '', headers: {} }, response: null, timing: { waitMs: 0, readMs: 0 }, warnings: [] },
    shown: { captures: {} },
  };
}

async function recordLate(
  parts: DeliveryParts,
  about: DeliveryAbout,
  call: BuyerCall,
  attemptIndex: number,
  { answer, wire }: Delivery,
): Promise<void> {
  const { organization, leadId } = about;
  await parts.recordLate({
    organizationId: organization.organizationId,
    leadId,
    attemptIndex,
    buyerTierId: call.buyerTierId,
    outcome: answer.outcome,
    price: answer.price === undefined ? null : formatMoney(answer.price),
    afterMs: answer.elapsedMs,
    wire: sealJson(organization.keys, 'late_answer.wire', `${leadId} ${attemptIndex}`, { ...wire, reasons: answer.reasons }),
    arrivedAt: parts.clock(),
  });
}
