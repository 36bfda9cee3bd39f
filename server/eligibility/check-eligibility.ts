/** Which buyer tiers could take a lead now, by the rules and counters as they stand. Nothing of the lead is kept, and nothing is taken or sent. */
import type { EligibilityAnswer } from '#contract/eligibility.ts';
import type { Explanation } from '#engine/decision.ts';
import type { Refusal, Reservation } from '#engine/effect.ts';
import { type Eligibility, eligible } from '#engine/eligible.ts';
import { explain, type Names } from '#engine/explain.ts';
import { normaliseLead } from '#engine/field.ts';
import { explainRefusal } from '#engine/reserve.ts';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { askRoom } from '#server/lead/ask-room.sql.ts';
import { namesOf } from '#server/lead/decision.view.ts';
import type { Intake } from '#server/lead/intake.ts';
import { consumerOf } from '#server/lead/variant.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

type Asked = Pick<Intake, 'facts' | 'breakers' | 'rests' | 'clock'>;

/** A reservation of nothing asks for nothing. */
const NOTHING: Reservation = { subject: { kind: 'publisherTier', id: '' }, purpose: 'admit', claims: [] };

export async function checkEligibility(
  { facts, breakers, rests, clock }: Asked,
  own: Db,
  organization: OrganizationPlan,
  publisherTierId: string,
  lead: Record<string, string>,
): Promise<EligibilityAnswer> {
  const now = clock();
  const vertical = organization.plan.publisherTiers.get(publisherTierId)?.campaign.vertical.config;
  const { fields, errors } = vertical ? normaliseLead(vertical, lead, true) : { fields: {}, errors: [] };
  const found = await facts.find(organization, publisherTierId, fields);
  const id = newId(now);
  const bucket = consumerOf(organization, publisherTierId, fields, id)?.bucket;
  const asked = {
    ...{ id, publisherTierId, fields, mode: 'ping' as const, test: false, deadlineAt: now },
    breakers: breakers.of(organization.organizationId),
    rests: rests.of(organization.organizationId),
    throttles: breakers.throttlesOf(organization.organizationId),
    ...(bucket !== undefined && { bucket }),
    ...(found && { facts: found }),
  };
  const eligibility = eligible(organization.plan, asked, now);
  const [entry, ...rooms] = await askRoom(
    own,
    organization.keys,
    [eligibility.room, ...eligibility.tiers.map(({ room }) => room)].map((room) => room ?? NOTHING),
  );
  return view(
    organization,
    eligibility,
    { entry, rooms },
    { now, errors, names: namesOf(organization, vertical?.fields ?? []), publisherTierId },
  );
}

function view(
  organization: OrganizationPlan,
  { refusal, tiers }: Eligibility,
  { entry, rooms }: { entry: Refusal | undefined; rooms: (Refusal | undefined)[] },
  about: { now: number; errors: EligibilityAnswer['errors']; names: Names; publisherTierId: string },
): EligibilityAnswer {
  const why = refusal ?? (entry && explainRefusal(entry, 'publisherTier').why);
  const say = (one: Explanation | undefined) => (one ? sayWithoutIds(one, about.names) : null);
  return {
    status: true,
    asOf: new Date(about.now).toISOString(),
    isTaken: !why && about.errors.length === 0,
    why: say(why),
    errors: about.errors,
    buyerTiers: tiers.map((tier, at) => {
      const full = rooms[at] && explainRefusal(rooms[at], ownerOf(rooms[at], tier.buyerTierId, about.publisherTierId));
      const buyer = organization.buyerWires.get(tier.buyerTierId);
      return {
        name: buyer?.name ?? '',
        buyerName: buyer?.buyerName ?? '',
        groupName: organization.groupNames.get(tier.groupId)?.name ?? '',
        isEligible: tier.eligible && !full,
        filterReasonKey: full?.filterReasonKey ?? tier.filterReasonKey ?? null,
        why: say(full?.why ?? tier.why),
      };
    }),
  };
}

function ownerOf(refusal: Refusal, buyerTierId: string, publisherTierId: string): 'buyerTier' | 'publisherTier' | 'buyer' {
  if (refusal.by === 'duplicate' || refusal.claim.scopeId === buyerTierId) return 'buyerTier';
  return refusal.claim.scopeId === publisherTierId ? 'publisherTier' : 'buyer';
}

/** Whoever has the link hears that the consumer came before, not as which lead. */
const sayWithoutIds = (why: Explanation, names: Names): string =>
  why.code === 'duplicate' ? 'A lead of the same consumer came before.' : explain(why, names);
