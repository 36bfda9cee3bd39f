/** What stands still because somebody set it so: paused, closed by date or hour, without a key, or left out of routing. Pure. */
import type { Warning } from '#contract/warning.ts';
import { floorOf } from '#engine/check.ts';
import type { CampaignPlan, TierRules } from '#engine/compiled.ts';
import { formatMoney } from '#engine/money.ts';
import type { Hours } from '#engine/plan.ts';
import { localTimeAt } from '#engine/zone.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { nameOfBuyerTier, nameOfSeat, type WarningScope, type Watched } from './watched.ts';

/** `fed`: publisher tiers that have a posting key in force, or the lander of an active card. */
export function listStanding(organization: OrganizationPlan, watched: Watched, fed: ReadonlySet<string>, now: number): Warning[] {
  return [
    ...watched.campaigns.flatMap(({ config }) => (config.status === 'active' ? [] : [pausedCampaign(config)])),
    ...watched.campaigns.flatMap((campaign) => underFloor(campaign, organization.plan.currency)),
    ...watched.publisherTiers.flatMap(({ config, ...rules }) => {
      const { id, status, publisherStatus, hours } = config;
      const name = nameOfSeat(organization, id);
      if (publisherStatus !== 'active')
        return [
          about(id, 'paused', `Publisher ${publisherStatus}`, `${name}: leads are refused because its publisher is ${publisherStatus}.`),
        ];
      if (status !== 'active') return [about(id, 'paused', wordOf(status), `${name} is ${status}: its leads are refused.`)];
      const unfed =
        organization.publisherSeats.get(id)?.kind === 'lander'
          ? about(id, 'noLander', 'No lander', `No active card sends the leads of its lander to ${name}: none can come.`)
          : about(id, 'noKey', 'No posting key', `${name} has no posting key in force: nobody can post to it.`);
      return [...closed(id, name, rules, hours, now), ...(fed.has(id) ? [] : [unfed])];
    }),
    ...watched.buyerTiers.flatMap(({ config, ...rules }) => {
      const { id, status, buyerStatus, hours } = config;
      const name = nameOfBuyerTier(config);
      if (buyerStatus !== 'active')
        return [about(id, 'paused', `Buyer ${buyerStatus}`, `${name} gets nothing because its buyer is ${buyerStatus}.`)];
      if (status !== 'active') return [about(id, 'paused', wordOf(status), `${name} is ${status}.`)];
      return closed(id, name, rules, hours, now);
    }),
  ];
}

const about = (id: string, kind: Warning['kind'], mark: string, text: string): Warning => ({
  ...{ kind, subjectId: id, tierIds: [id] },
  ...{ mark, text },
});

const wordOf = (status: string): string => status.charAt(0).toUpperCase() + status.slice(1);

const pausedCampaign = ({ id, name, status }: { id: string; name: string; status: string }): Warning => ({
  ...{ kind: 'paused', subjectId: id, tierIds: [], mark: `Campaign ${status}` },
  text: `The campaign ${name} is ${status}: every lead posted to it is refused.`,
});

/** Tiers whose fixed price the campaign's or their own floor keeps from ever buying. */
function underFloor(campaign: CampaignPlan, currency: string): Warning[] {
  if (campaign.config.status !== 'active') return [];
  return campaign.groups
    .flatMap(({ members }) => members)
    .flatMap(({ tier }) => {
      const { id, price, status, buyerStatus } = tier.config;
      const floor = floorOf(tier, campaign);
      if (price.kind !== 'fixed' || price.price >= floor || status !== 'active' || buyerStatus !== 'active') return [];
      const name = nameOfBuyerTier(tier.config);
      const text = `${name} never buys from ${campaign.config.name}: its price of ${currency} ${formatMoney(price.price)} is under the floor of ${formatMoney(floor)}.`;
      return [about(id, 'underFloor', 'Under the floor', text)];
    });
}

/** A pause date that holds today, or a weekday without hours; by the days of the tier's own zone. */
function closed(id: string, name: string, { pause }: Pick<TierRules, 'pause'>, hours: Hours | undefined, now: number): Warning[] {
  const held = pause?.findAt(now);
  if (held) {
    const days = held.from === held.to ? `on ${held.from}` : `from ${held.from} to ${held.to}`;
    const note = held.note ? ` (${held.note})` : '';
    return [about(id, 'pauseDate', 'Pause date', `${name} is paused by its dates ${days}${note}.`)];
  }
  const isShut = hours?.week[localTimeAt(hours.timeZone, now).weekday]?.length === 0;
  return isShut ? [about(id, 'closedToday', 'No hours today', `${name} has no hours today.`)] : [];
}

/** What could not be compiled, by the name people know it by. */
export function listLeftOut(organization: OrganizationPlan, watched: Watched, { campaign }: WarningScope): Warning[] {
  const named = namesInReach(organization, watched);
  return organization.problems
    .filter(({ severity, kind }) => severity === 'leftOut' || kind === 'publisherTier')
    .filter(
      ({ kind, id }) =>
        named.has(id) ||
        id === campaign?.id ||
        (!campaign && !['buyerTier', 'publisherTier', 'service', 'promotion', 'abTest'].includes(kind)),
    )
    .map(({ kind, id, text, severity }) => {
      const name = named.get(id);
      const what = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      const subject = name ? `The ${what} ${name}` : `A ${what}`;
      if (severity === 'warning') return { ...about(id, 'errors', 'Sells nothing', `${subject} can sell nothing: ${text}.`) };
      return { ...about(id, 'errors', 'Left out', `${subject} is left out of routing: ${text}.`) };
    });
}

/** Tiers, groups and services that belong to what is watched, those that were left out among them. */
function namesInReach(organization: OrganizationPlan, { campaigns, buyerTiers }: Watched): Map<string, string> {
  const ids = new Set(campaigns.map(({ config }) => config.id));
  const leftOut = campaigns.flatMap((campaign) => campaign.leftOut.map(({ buyerTierId }) => buyerTierId));
  const buyers = [...leftOut, ...buyerTiers.map(({ config }) => config.id)].flatMap((id) => organization.buyerWires.get(id) ?? []);
  const seats = [...organization.publisherSeats.values()].filter(({ campaignId }) => ids.has(campaignId));
  const groups = campaigns.flatMap((campaign) => campaign.groups.map(({ config }) => config));
  return new Map([
    ...buyers.map((wire) => [wire.id, nameOfBuyerTier(wire)] as const),
    ...seats.map(({ id }) => [id, nameOfSeat(organization, id)] as const),
    ...groups.map(({ id, name }) => [id, name] as const),
    ...[...organization.serviceWires.values()].map(({ id, name }) => [id, name] as const),
  ]);
}
