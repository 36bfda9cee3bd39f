/** The guided first set-up: each step is one ordinary call, and a step that was done is not done again. */
import { SAMPLE_ADDRESS } from '#contract/endpoint.sample-address.ts';
import { type SampledField, sampleLead } from '#contract/sample-lead.ts';
import type { TreeGroup } from '#contract/tree.ts';
import { postJson } from '../api/client.ts';
import { addRecord, editRecord, listRecords } from '../api/record.ts';
import { publishDraft, readTree, saveDraft } from '../api/tree.ts';
import { COUNTRY } from '../set-up/country.ts';
import { slugOf } from '../vertical/slug-of.ts';
import { type Starter, starterFields } from './starter-fields.ts';

export interface FirstSteps {
  country: 'us' | 'uk';
  vertical: string;
  starter: Starter;
  buyer: string;
  buyerUrl: string;
  /** What the buyer pays for a lead, as a decimal. */
  price: string;
  publisher: string;
  /** Of what the buyer pays, in percent. */
  share: string;
}

/** What has been made so far; what is missing is made next. */
export interface Made {
  regionId?: string;
  regionSlug?: string;
  verticalId?: string;
  verticalSlug?: string;
  /** What a lead of the vertical has. */
  fields?: SampledField[];
  buyerId?: string;
  buyerTierId?: string;
  campaignId?: string;
  published?: true;
  publisherId?: string;
  publisherTierId?: string;
  key?: string;
  lead?: { leadId: string; status: string };
  /** What the test lead brought. */
  posted?: Record<string, string>;
  /** The buyer has no address yet. */
  isPaused?: boolean;
}

export const stepNames = ['Region', 'Vertical', 'Fields', 'Buyer', 'Campaign and tree', 'Publisher', 'Posting key', 'Test lead'] as const;
export type StepName = (typeof stepNames)[number];

/**
 * The record that `known` tells from all others: one that an earlier try, or somebody else, has made is taken as it is, out of the archive
 * if need be; otherwise it is made. So whatever was cut off in the middle can be begun again.
 */
async function idOf(model: string, known: Record<string, unknown>, data: object = {}): Promise<string> {
  const [found] = (await listRecords({ model, condition: known, withArchived: true, limit: 1 })).data;
  if (!found) return (await addRecord(model, { ...known, ...data })).data._id;
  if (found.status === 'archived') await editRecord(model, found._id, { status: 'active' });
  return found._id;
}

/** Addresses with which a publisher can try every end; they never reach a buyer. */
const TEST_VALUES = {
  field: 'email',
  sold: 'sold@example.com',
  rejected: 'rejected@example.com',
  timeout: 'timeout@example.com',
  error: 'error@example.com',
};

/** One step at a time; `made` comes back fuller. A refusal is thrown, and the same step is tried again next time. */
const steps: Record<StepName, (steps: FirstSteps, made: Made) => Promise<Made>> = {
  Region: async ({ country }, made) =>
    made.regionId
      ? made
      : { ...made, regionId: await idOf('region', { slug: country }, { name: COUNTRY[country], country }), regionSlug: country },
  Vertical: async ({ vertical }, made) => {
    if (made.verticalId) return made;
    const slug = slugOf(vertical);
    return {
      ...made,
      verticalId: await idOf('vertical', { slug, regionId: made.regionId }, { name: vertical, primaryField: 'email' }),
      verticalSlug: slug,
    };
  },
  Fields: async ({ starter, country }, made) => {
    if (made.fields) return made;
    const wanted = starterFields(starter, country);
    const { verticalId } = made;
    const there = (await listRecords({ model: 'field', condition: { verticalId }, limit: 500 })).data as unknown as SampledField[];
    // Fields that somebody chose stay as they are; the first tier only needs an e-mail address.
    const isBegun = there.every((one) => wanted.some(({ fieldName }) => fieldName === one.fieldName));
    const added = isBegun ? wanted : wanted.filter((one) => one.fieldName === 'email');
    for (const { fieldName, ...field } of added) await idOf('field', { verticalId, fieldName }, field);
    const kept = there.filter((one) => added.every(({ fieldName }) => fieldName !== one.fieldName));
    return { ...made, fields: [...kept, ...added] };
  },
  Buyer: async ({ buyer, buyerUrl, price }, made) => {
    const buyerId = made.buyerId ?? (await idOf('buyer', { name: buyer }));
    const known = { name: 'Standard', buyerId, verticalId: made.verticalId };
    const terms = { delivery: 'post', price: { kind: 'fixed', price } };
    const endpoint = {
      post: {
        ...{ url: buyerUrl || SAMPLE_ADDRESS, method: 'POST' },
        // All that is known of the lead, under our own names, until the buyer's are known.
        body: {
          format: 'json',
          mapping: made.fields!.map(({ fieldName }) => ({ to: fieldName, from: { kind: 'field', field: fieldName } })),
        },
        response: {
          outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'status' }, is: 'equal', value: 'accepted' }] }],
          otherwise: 'rejected',
        },
      },
    };
    // Without a real address nothing may be sent yet.
    const status = buyerUrl ? 'active' : 'paused';
    return { ...made, buyerId, buyerTierId: made.buyerTierId ?? (await idOf('buyerTier', known, { ...terms, endpoint, status })) };
  },
  'Campaign and tree': async ({ vertical }, made) => {
    // What the publisher's share leaves is ours; a share is no reason to refuse a sale.
    const margin = { kind: 'percent', percent: 0 };
    const known = { name: vertical, verticalId: made.verticalId };
    const campaignId = made.campaignId ?? (await idOf('campaign', known, { margin, testValues: TEST_VALUES }));
    const tree = await readTree(campaignId);
    // A tree that is there already is somebody's work.
    if (made.published || tree.live.length > 0) return { ...made, campaignId, published: true };
    const members = [{ buyerTierId: made.buyerTierId!, weight: null }];
    const groups: TreeGroup[] = [{ _id: null, name: 'First', mode: 'priority', timeLimitMs: null, members }];
    const { state } = await saveDraft(campaignId, groups, tree.state);
    await publishDraft(campaignId, state, 'First set-up');
    return { ...made, campaignId, published: true };
  },
  Publisher: async ({ publisher, share }, made) => {
    const publisherId = made.publisherId ?? (await idOf('publisher', { name: publisher }, { affiliateId: slugOf(publisher) || 'first' }));
    const priceModel = { kind: 'share', sharePercent: Number(share) };
    const known = { name: 'Web', publisherId, campaignId: made.campaignId };
    return { ...made, publisherId, publisherTierId: made.publisherTierId ?? (await idOf('publisherTier', known, { priceModel })) };
  },
  'Posting key': async (_, made) => {
    if (made.key) return made;
    const { key } = await postJson<{ key: string }>(`/api/console/publisher-tiers/${made.publisherTierId}/keys/new`, {});
    return { ...made, key };
  },
  'Test lead': async ({ country, buyerUrl }, made) => {
    const sample = sampleLead(made.fields!, country);
    // A buyer that is still paused would be asked by no lead: the campaign's test value is sold all the same.
    const fields = buyerUrl ? sample : { ...sample, email: TEST_VALUES.sold };
    return { ...made, isPaused: !buyerUrl, posted: fields, lead: await sendTestLead(made.key!, fields) };
  },
};

const TRIES = 10;

/** A key that was made a moment ago opens on every node within a blink, not at once. */
async function sendTestLead(key: string, fields: Record<string, string>): Promise<NonNullable<Made['lead']>> {
  const body = JSON.stringify({ ...fields, test: true });
  for (let at = 1; ; at++) {
    const response = await fetch('/api/v1/leads', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    });
    const answer = (await response.json().catch(() => ({}))) as { leadId?: string; status?: string; msg?: string };
    if (response.ok && answer.leadId && answer.status) return { leadId: answer.leadId, status: answer.status };
    if (at === TRIES || (response.status !== 401 && answer.status !== 'rejected'))
      throw new Error(answer.msg ?? 'The test lead was not taken. Try again.');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** Takes the steps that are left, telling after each; stops at the first refusal, which it throws with what was made. */
export async function takeSteps(first: FirstSteps, made: Made, told: (made: Made, done: StepName) => void): Promise<Made> {
  let now = made;
  for (const name of stepNames) {
    now = await steps[name](first, now);
    told(now, name);
  }
  return now;
}
