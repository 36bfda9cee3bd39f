/** The form of a test, and what is sent of it. Pure. */
import type { AbTestAnswer, AbTestBoard, TreeSource, VariantBody } from '#contract/ab-test.ts';
import type { TestFields } from '../api/ab-test.ts';

export interface VariantDraft {
  /** For React; an id of the server's once it is saved. */
  key: string;
  _id: string | null;
  name: string;
  share: string;
  /** 'live', 'kept', 'draft', or the id of a published tree. */
  tree: string;
  marginKind: 'live' | 'percent' | 'fixed';
  margin: string;
  floor: string;
  price: string;
}

export interface TestDraft {
  campaignId: string;
  name: string;
  notes: string;
  metric: 'revenue' | 'margin';
  minimumEffect: string;
  variants: VariantDraft[];
}

let made = 0;
export const newVariant = (name: string, share: string): VariantDraft => ({
  ...{ key: `new ${++made}`, _id: null, name, share, tree: 'live', marginKind: 'live', margin: '', floor: '', price: '' },
});

export const newDraft = (campaignId: string): TestDraft => ({
  ...{ campaignId, name: '', notes: '', metric: 'revenue', minimumEffect: '10' },
  variants: [newVariant('Control', '50'), newVariant('B', '50')],
});

export const toDraft = ({ test }: AbTestAnswer): TestDraft => ({
  ...{ campaignId: test.campaignId, name: test.name, notes: test.notes, metric: test.metric, minimumEffect: String(test.minimumEffect) },
  variants: test.variants.map((one) => ({
    ...{ key: one._id, _id: one._id, name: one.name, share: String(one.sharePercent), tree: one.tree ? 'kept' : 'live' },
    marginKind: one.margin?.kind ?? 'live',
    margin: one.margin ? (one.margin.kind === 'percent' ? String(one.margin.percent) : one.margin.amount) : '',
    floor: one.floor ?? '',
    price: one.pricePercent === null ? '' : String(one.pricePercent),
  })),
});

export const toFields = ({ name, notes, metric, minimumEffect, variants }: TestDraft): TestFields => ({
  ...{ name: name.trim(), notes, metric, minimumEffect: Number(minimumEffect), variants: variants.map(toBody) },
});

function toBody({ _id, name, share, tree, marginKind, margin, floor, price }: VariantDraft): VariantBody {
  return {
    ...{ _id, name: name.trim(), sharePercent: Number(share), tree: sourceOf(tree), floor: floor === '' ? null : floor },
    margin:
      marginKind === 'live'
        ? null
        : marginKind === 'percent'
          ? { kind: 'percent', percent: Number(margin) }
          : { kind: 'fixed', amount: margin },
    pricePercent: price === '' ? null : Number(price),
  };
}

const sourceOf = (tree: string): TreeSource | null => {
  if (tree === 'live') return null;
  return tree === 'kept' || tree === 'draft' ? { from: tree } : { from: 'version', versionId: tree };
};

/** Whole percents that come to 100, the first ones one more where they do not divide. */
export function evenShares(variants: VariantDraft[]): VariantDraft[] {
  const [each, rest] = [Math.floor(100 / variants.length), 100 % variants.length];
  return variants.map((one, at) => ({ ...one, share: String(each + (at < rest ? 1 : 0)) }));
}

export const sumOf = (variants: VariantDraft[]): number => variants.reduce((sum, { share }) => sum + Number(share || 0), 0);

/** The first thing that keeps it from being saved, by the path of its input. */
export function findFault({ campaignId, name, minimumEffect, variants }: TestDraft): { path: string; text: string } | undefined {
  if (campaignId === '') return { path: 'campaignId', text: 'Choose the campaign to test.' };
  if (name.trim() === '') return { path: 'name', text: 'This is required.' };
  if (!(Number(minimumEffect) > 0)) return { path: 'minimumEffect', text: 'It must be more than 0.' };
  for (const [at, one] of variants.entries()) {
    if (one.name.trim() === '') return { path: `variants.${at}.name`, text: 'This is required.' };
    if (!(Number(one.share) >= 1)) return { path: `variants.${at}.share`, text: 'It must be 1% or more.' };
    if (one.marginKind !== 'live' && one.margin === '')
      return { path: `variants.${at}.margin`, text: 'Say how much, or leave it as live.' };
  }
  if (sumOf(variants) !== 100) return { path: 'variants.0.share', text: `The shares come to ${sumOf(variants)}%, not to 100%.` };
  return undefined;
}

type Campaign = AbTestBoard['campaigns'][number];

/** What a variant's tree can be taken from. */
export function treeOptions(campaign: Campaign | undefined, own: string | undefined): { value: string; label: string }[] {
  const day = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;
  return [
    { value: 'live', label: 'As live' },
    ...(own ? [{ value: 'kept', label: `As saved: ${own}` }] : []),
    ...(campaign?.draftAt ? [{ value: 'draft', label: `The draft of ${day(campaign.draftAt)}` }] : []),
    ...(campaign?.versions ?? []).map(({ _id, publishedAt, note }) => ({
      value: _id,
      label: `Published ${day(publishedAt)}${note ? `, ${note}` : ''}`,
    })),
  ];
}
