/** Records to choose from, 20 at a time for what is typed: each source is one of the selects' (`web/ui/choices.ts`). */
import { CHOICES_AT_ONCE } from '#contract/choices.ts';
import type { LeadChoiceKind, LeadChoicesAnswer } from '#contract/lead.ts';
import type { ListBody } from '#contract/record.ts';
import type { PublisherTierKind } from '#contract/tier.ts';
import type { TreeTier } from '#contract/tree.ts';
import type { Choice, ChoiceSource } from '#web/ui/choices.ts';
import { getJson, postJson } from './client.ts';
import type { Place } from './lead.ts';
import type { ListAnswer, RecordRow } from './record.ts';

interface Asked<One extends Choice> {
  model: string;
  /** What narrows them whatever is typed. */
  condition?: Record<string, unknown>;
  /** What `view` reads of a record, and what they are sorted by. */
  fields: string[];
  sort: string[];
  view: (row: RecordRow) => One;
}

const ask = (listing: ListBody, signal: AbortSignal) => postJson<ListAnswer>('/api/v1/common/get/condition-data', listing, signal);

function askedChoices<One extends Choice>({ model, condition = {}, fields, sort, view }: Asked<One>): ChoiceSource<One> {
  return {
    key: ['records', model, 'choices', condition, fields],
    find: async (text, signal) => {
      const order = sort.map((field) => ({ field }));
      const { data, total } = await ask(
        { model, condition, fields, sort: order, limit: CHOICES_AT_ONCE, ...(text !== '' && { search: text }) },
        signal,
      );
      return { options: data.map(view), total };
    },
    get: async (value, signal) => {
      const { data } = await ask({ model, condition: { _id: value }, fields, limit: 1, withArchived: true }, signal);
      return data[0] ? view(data[0]) : null;
    },
  };
}

const statusNote: Record<string, string> = { paused: ' (paused)', archived: ' (archived)' };
const nameAndStatus = (row: RecordRow): Choice => ({ value: row._id, label: `${row.name}${statusNote[String(row.status)] ?? ''}` });

/** Publishers, buyers, campaigns or services by their name; those that are paused say so. */
export const recordChoices = (
  model: 'publisher' | 'buyer' | 'campaign' | 'service' | 'paymentProcessor',
  condition: Record<string, unknown> = {},
) => askedChoices({ model, condition, fields: ['name', 'status'], sort: ['name'], view: nameAndStatus });

export interface TierChoice extends Choice {
  tier: TreeTier;
}
const tierFields = ['name', 'buyerName', 'status', 'buyerStatus', 'delivery'];

/** Buyer tiers of a vertical but for some; a condition takes at most 1,000 of them, and a tree of so many seats none more. */
export const tierChoices = (verticalId: string, but: readonly string[]): ChoiceSource<TierChoice> =>
  askedChoices({
    model: 'buyerTier',
    condition: { verticalId, ...(but.length > 0 && { _id: { not: but.slice(0, 1000) } }) },
    fields: tierFields,
    sort: ['buyerName', 'name'],
    view: (row) => {
      const tier = { _id: row._id, ...Object.fromEntries(tierFields.map((name) => [name, String(row[name])])) } as TreeTier;
      return {
        value: tier._id,
        label: `${tier.buyerName}, ${tier.name}${statusNote[tier.status] ?? ''}`,
        closed: but.includes(tier._id) ? 'stands in the tree already' : undefined,
        tier,
      };
    },
  });

/** Publisher tiers of a vertical, of one kind. */
export const publisherTierChoices = (verticalId: string, kind: PublisherTierKind): ChoiceSource =>
  askedChoices({
    model: 'publisherTier',
    condition: { verticalId, kind },
    fields: ['name', 'publisherName', 'status'],
    sort: ['publisherName', 'name'],
    view: (row) => ({ value: row._id, label: `${row.publisherName}, ${row.name}${statusNote[String(row.status)] ?? ''}` }),
  });

/** Fields of a vertical, by the name that calls and rules know them by. */
export const fieldChoices = (verticalId: string): ChoiceSource => {
  const fields = ['fieldName', 'fieldHumanName'];
  const view = (row: RecordRow): Choice => ({ value: String(row.fieldName), label: String(row.fieldHumanName) });
  const condition = { verticalId };
  return {
    ...askedChoices({ model: 'field', condition, fields, sort: [], view }),
    get: async (fieldName, signal) => {
      const { data } = await ask({ model: 'field', condition: { ...condition, fieldName }, fields, limit: 1 }, signal);
      return data[0] ? view(data[0]) : null;
    },
  };
};

const COMPANIES = ['publisher', 'buyer'] as const;
const companiesOf = (kind: (typeof COMPANIES)[number]) =>
  askedChoices({
    model: kind,
    fields: ['name', 'mayEdit'],
    sort: ['name'],
    view: (row): Choice => ({
      value: `${kind} ${row._id}`,
      label: `${row.name} (${kind})`,
      // A company that is shared with verticals beyond the person's reach keeps its contacts to who may change it.
      closed: row.mayEdit === false ? 'is shared with verticals that you do not set up' : undefined,
    }),
  });

/** Publishers and buyers together, by name; the value names the kind before the id. */
export const companyChoices: ChoiceSource = {
  key: ['records', 'company', 'choices'],
  find: async (text, signal) => {
    const found = await Promise.all(COMPANIES.map((kind) => companiesOf(kind).find(text, signal)));
    const options = found.flatMap((one) => one.options).sort((a, b) => a.label.localeCompare(b.label));
    return { options: options.slice(0, CHOICES_AT_ONCE), total: found.reduce((sum, one) => sum + one.total, 0) };
  },
  get: async (value, signal) => {
    const [kind, id] = value.split(' ') as [(typeof COMPANIES)[number], string];
    return companiesOf(kind).get(id, signal);
  },
};

/** What leads of a vertical can be filtered by, for whoever may read them. */
export function leadChoices(place: Place, of: LeadChoiceKind): ChoiceSource {
  const read = async (more: Record<string, string>, signal: AbortSignal) => {
    const query = new URLSearchParams({ ...place, of, ...more });
    const { options, total } = await getJson<LeadChoicesAnswer>(`/api/console/leads/choices?${query}`, signal);
    return { options: options.map(({ _id, name }) => ({ value: _id, label: name })), total };
  };
  return {
    key: ['lead-choices', place, of],
    find: (q, signal) => read({ q }, signal),
    get: async (id, signal) => (await read({ id }, signal)).options[0] ?? null,
  };
}
