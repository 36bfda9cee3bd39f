/** One replay from its first lead to its last: both trees see every lead, one after the other, each in a world of its own. */
import { setImmediate } from 'node:timers/promises';
import { REPLAY_LEADS_MOST } from '#contract/replay.ts';
import { compile } from '#engine/compile.ts';
import type { Plan } from '#engine/compiled.ts';
import type { Configuration } from '#engine/plan.ts';
import { type AnswerSources, openReplay, type StoredLead, type UnrecordedRule } from '#engine/replay.ts';
import { addDecision, addLead, emptyTally, type Tally } from '#engine/replay-tally.ts';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import type { FactBook } from '#server/lead/fact-book.ts';
import { readBegunCaps } from './begun-caps.sql.ts';
import { countSpan, type LeadSpan, type ReplayedLead, readHabits, readPage } from './stored-leads.sql.ts';

export interface ReplayWork {
  span: LeadSpan;
  published: Configuration;
  changed: Configuration;
  unrecorded: UnrecordedRule;
  /** Buyer tiers that are tried at another price. */
  repriced: readonly string[];
}

export interface ReplayOutcome {
  really: Tally;
  published: Tally;
  changed: Tally;
  sources: { published: AnswerSources; changed: AnswerSources };
  pingsLeftOut: number;
  /** Buyer tiers that were asked in a replay, but of whose answers none is on record in the span. */
  neverAsked: string[];
  /** Leads that only the changed tree sells, and that only the published one does. */
  gained: MovedLeads;
  lost: MovedLeads;
  leadsPerSecond: number;
}

/** How many, and the first few by id. */
export interface MovedLeads {
  leads: number;
  ids: string[];
}

/** What a person can do something about, in a sentence. */
export class ReplayRefused extends Error {
  override name = 'ReplayRefused';
}

const PAGE = 500;
/** After so many leads answers of the database are let in, so that the next page is there when this one is through. */
const BREATH = 50;
const SHOWN_IDS = 20;

export async function runReplay(
  parts: { own: Db; keys: OrganizationKeys; facts: FactBook },
  work: ReplayWork,
  told: (progress: { done: number; total: number }) => void,
): Promise<ReplayOutcome> {
  const { own, keys, facts } = parts;
  const began = performance.now();
  const { total, pingsLeftOut } = await countSpan(own, work.span, REPLAY_LEADS_MOST);
  if (total > REPLAY_LEADS_MOST)
    throw new ReplayRefused(`There are more than ${REPLAY_LEADS_MOST.toLocaleString('en')} leads in the span. Choose a shorter one.`);
  told({ done: 0, total });
  const plans = [compile(work.published).plan, compile(work.changed).plan] as const;
  const habits = await readHabits(own, work.span, seatedIn(work));
  const rules = { habits, unrecorded: work.unrecorded, begun: await readBegunCaps(own, plans, work.span.from) };
  const repriced = new Set(work.repriced);
  const [published, changed] = [openReplay(plans[0], rules), openReplay(plans[1], { ...rules, repriced })];
  const tallies = { really: emptyTally(), published: emptyTally(), changed: emptyTally() };
  const moved = { gained: { leads: 0, ids: [] }, lost: { leads: 0, ids: [] } };
  const asksServices = plans.some(asksAny);
  const read = async (after: string | undefined) => {
    const page = await readPage(own, keys, work.span, { after, size: PAGE, asksServices });
    return { leads: await withFacts(facts, plans, keys, page.leads), after: page.after };
  };
  for (let next: Promise<Page> | undefined = read(undefined); next; ) {
    const { leads, after }: Page = await next;
    // The next page is read while this one is replayed.
    next = after === undefined ? undefined : read(after);
    next?.catch(() => {});
    for (const [at, one] of leads.entries()) {
      take(one, tallies, moved, published.take, changed.take);
      if (at % BREATH === 0) await setImmediate();
    }
    told({ done: tallies.really.leads, total });
  }
  const seconds = (performance.now() - began) / 1000;
  return {
    ...tallies,
    sources: { published: published.sources, changed: changed.sources },
    ...moved,
    pingsLeftOut,
    neverAsked: [...new Set([...published.neverAsked, ...changed.neverAsked])],
    leadsPerSecond: Math.round(tallies.really.leads / Math.max(seconds, 0.001)),
  };
}

type Both = { lead: { published: StoredLead; changed: StoredLead } | undefined; really: ReplayedLead['really'] };
type Page = { leads: Both[]; after: string | undefined };
type Take = ReturnType<typeof openReplay>['take'];

function take(
  { lead, really }: Both,
  tallies: Record<'really' | 'published' | 'changed', Tally>,
  moved: Record<'gained' | 'lost', MovedLeads>,
  published: Take,
  changed: Take,
): void {
  if (!lead) {
    // It met no tier, of whichever tree.
    const invalid = { status: 'invalid' as const, reason: really.reason, sales: [], attempts: [], verdicts: [] };
    addLead(tallies.really, invalid);
    addLead(tallies.published, invalid);
    addLead(tallies.changed, invalid);
    return;
  }
  addLead(tallies.really, really);
  const [before, after] = [published(lead.published), changed(lead.changed)];
  addDecision(tallies.published, before);
  addDecision(tallies.changed, after);
  const [wasSold, isSold] = [before.sales.length > 0, after.sales.length > 0];
  if (wasSold !== isSold) note(isSold ? moved.gained : moved.lost, lead.published.id);
}

function note(moved: MovedLeads, leadId: string): void {
  moved.leads += 1;
  if (moved.ids.length < SHOWN_IDS) moved.ids.push(leadId);
}

function seatedIn({ published, changed }: ReplayWork): string[] {
  return [...new Set([published, changed].flatMap(({ buyerTiers }) => buyerTiers.map(({ id }) => id)))];
}

/** What lists, banks and BINs say is looked up as it is today; the two trees may ask for different lists. */
async function withFacts(facts: FactBook, plans: readonly [Plan, Plan], keys: OrganizationKeys, leads: ReplayedLead[]): Promise<Both[]> {
  const asking = plans.map((plan) => ({ organizationId: keys.organizationId, keys, plan }));
  return Promise.all(
    leads.map(async ({ lead, really }) => {
      if (!lead) return { lead, really };
      const [published, changed] = await Promise.all(asking.map((one) => facts.find(one, lead.publisherTierId, lead.fields)));
      return {
        lead: { published: published ? { ...lead, facts: published } : lead, changed: changed ? { ...lead, facts: changed } : lead },
        really,
      };
    }),
  );
}

function asksAny(plan: Plan): boolean {
  const tiers = [...plan.campaigns.values()].flatMap(({ groups }) => groups.flatMap(({ members }) => members.map(({ tier }) => tier)));
  return tiers.some(({ config }) => config.thirdParty) || [...plan.publisherTiers.values()].some(({ config }) => config.p2c);
}
