/** What the form of a sent lead holds, and what is sent of it. Pure. */
import type { LabAnswer, LabTier, LabTreeAnswer, PastLeadAnswer, SimulatedAnswer, SimulatedSays } from '#contract/lab.ts';
import type { TreeChoice } from '#contract/replay.ts';

export type LabCampaign = LabAnswer['campaigns'][number];

/** 'published', 'draft', or the id of a tree that was published before. */
export type TreeName = string;

export const treeChoice = (tree: TreeName): TreeChoice =>
  tree === 'published' || tree === 'draft' ? { tree } : { tree: 'version', versionId: tree };

/** Trees to choose from; the newest version is the published tree itself. */
export function treeOptions({ hasDraft, versions }: LabCampaign, timeText: (at: string) => string) {
  return [
    { value: 'published', label: 'The published tree' },
    { value: 'draft', label: hasDraft ? 'The draft' : 'The draft (there is none)', disabled: !hasDraft },
    ...versions.slice(1).map(({ _id, publishedAt, note }) => ({
      value: _id,
      label: `As published ${timeText(publishedAt)}${note ? `: ${note.slice(0, 60)}` : ''}`,
    })),
  ];
}

/** Every publisher tier of the vertical, with its campaign. */
export function seatsOf(campaigns: readonly LabCampaign[]) {
  return campaigns.flatMap((campaign) => campaign.publisherTiers.map((seat) => ({ ...seat, campaign })));
}
export type Seat = ReturnType<typeof seatsOf>[number];

export const seatName = ({ publisherName, name, campaign, status }: Seat): string =>
  `${publisherName}, ${name} (${campaign.name})${status === 'active' ? '' : `, ${status}`}`;

/** A plausible value in every field. */
export const sampleValues = (fields: LabAnswer['fields']): Record<string, string> =>
  Object.fromEntries(fields.map(({ fieldName, sample }) => [fieldName, sample]));

/** What of a past lead is shown; what is personal stays empty, and is put in by the server. */
export const shownOf = ({ fields }: PastLeadAnswer): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, { value, isMasked }]) => [name, isMasked ? '' : value]));
export const hiddenOf = ({ fields }: PastLeadAnswer): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { value, isMasked }]) => (isMasked ? [[name, value]] : [])));

/** What a tier is told to say, as it was set on the page or the time before. */
export interface Told {
  says: SimulatedSays;
  price: string;
}
export const toldOf = (tier: LabTier, told: Readonly<Record<string, Told>>): Told =>
  told[tier._id] ?? { says: tier.says, price: tier.price ?? '' };

/** A price is only of a tier that buys. */
export function toAnswers(groups: LabTreeAnswer['groups'], told: Readonly<Record<string, Told>>): SimulatedAnswer[] {
  return groups
    .flatMap(({ buyerTiers }) => buyerTiers)
    .map((tier) => {
      const { says, price } = toldOf(tier, told);
      return { buyerTierId: tier._id, says, price: says === 'buys' && price !== '' ? price : null };
    });
}

export const SAYS: Record<SimulatedSays, string> = {
  buys: 'buys',
  rejects: 'declines',
  silent: 'gives no answer in time',
  error: 'breaks off',
  recorded: 'says what it said last',
};

/** The campaign's own test values (engine.md), each with what it does. */
export function testValueLines(values: LabCampaign['testValues']): { field: string; value: string; does: string }[] {
  if (!values) return [];
  const does = { sold: 'is always sold', rejected: 'is always declined', timeout: 'times out', error: 'ends in an error' };
  return Object.entries(does).flatMap(([name, text]) => {
    const value = (values as Record<string, unknown>)[name];
    return typeof value === 'string' && value !== '' ? [{ field: values.field, value, does: text }] : [];
  });
}

export interface Hearing {
  /** Buyer tiers that may be called. */
  all: number;
  /** Those whose every request says that it is a test, and where. */
  told: { tier: LabTier; places: string[] }[];
  /** Those that some request leaves in the dark, and which. */
  untold: { tier: LabTier; legs: ('ping' | 'post')[] }[];
}

/** Who hears that a lead of the lab is a test. */
export function hearingOf(groups: LabTreeAnswer['groups']): Hearing {
  const tiers = groups.flatMap(({ buyerTiers }) => buyerTiers).filter(({ status }) => status === 'active');
  const heard = tiers.map((tier) => {
    const { ping, post } = tier.testFlags;
    const legs = [...(ping?.length === 0 ? (['ping'] as const) : []), ...(post.length === 0 ? (['post'] as const) : [])];
    return { tier, legs, places: [...new Set([...(ping ?? []), ...post])] };
  });
  return { all: tiers.length, told: heard.filter(({ legs }) => legs.length === 0), untold: heard.filter(({ legs }) => legs.length > 0) };
}
