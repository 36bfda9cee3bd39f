/**
 * What is known of a lead beside its fields: which suppression lists hold it, and the moves of its bank and BIN (engine/facts.ts). Leads that ask in
 * the same turn of the event loop share one query by index, on connections of their own.
 */
import type pg from 'pg';
import type { PublisherTierPlan } from '#engine/compiled.ts';
import type { FactsWanted, LeadFacts } from '#engine/facts.ts';
import type { Combination, Move } from '#engine/move.ts';
import type { VerticalConfig } from '#engine/plan.ts';
import { readBinDigits, sayBinRange } from '#server/bin/bin-digits.ts';
import { movesFor, NARROWEST_FIRST, rangesAround } from '#server/bin/find-bin.sql.ts';
import { personHashes } from '#server/erasure/person-hashes.ts';
import { openPool } from '#server/kit/database.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { leadHashes } from '#server/suppression/entry-hash.ts';
import { StoreUnavailable } from './writer.ts';

/** Whose lists are looked through, by which plan. */
export type Asker = Pick<OrganizationPlan, 'organizationId' | 'keys' | 'plan'> & Partial<Pick<OrganizationPlan, 'refusesErased'>>;

export interface FactBook {
  /** Undefined where no rule asks for anything. Throws StoreUnavailable: a lead is never routed without what its rules ask for. */
  find(organization: Asker, publisherTierId: string, fields: Readonly<Record<string, string>>): Promise<LeadFacts> | undefined;
  /** For whoever counts them. */
  pool: pg.Pool;
  /** Of a lead that is not routed: whether its person was erased, and nothing else. */
  findPerson(organization: Asker, publisherTierId: string, fields: Readonly<Record<string, string>>): Promise<LeadFacts> | undefined;
  close(): Promise<void>;
}

interface Asking {
  /** Keyed hashes under which its person may be refused. */
  person: string[];
  entries: { listId: string; hash: string }[];
  bank: { country: string; code: string } | undefined;
  bin: { low: number; high: number; campaignId: string; publisherId: string } | undefined;
  done: (facts: LeadFacts) => void;
  failed: (error: Error) => void;
}

const NOTHING_WANTED: FactsWanted = { lists: [], bankField: undefined, binField: undefined };

const CONNECTIONS = 2;
/** One plan for every query, by index, as for those that write leads. */
const BY_INDEX = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';
const ANSWER_WITHIN_MS = 1_500;

export function openFactBook(connectionString: string, now: () => number = Date.now): FactBook {
  const pool = openPool(connectionString, CONNECTIONS, { options: BY_INDEX });
  const waiting = new Map<string, Asking[]>();

  function ask(organizationId: string, question: Omit<Asking, 'done' | 'failed'>): Promise<LeadFacts> {
    return new Promise((done, failed) => {
      const others = waiting.get(organizationId);
      if (others) return void others.push({ ...question, done, failed });
      waiting.set(organizationId, [{ ...question, done, failed }]);
      setImmediate(() => void answer(organizationId));
    });
  }

  async function answer(organizationId: string): Promise<void> {
    const batch = waiting.get(organizationId)!;
    waiting.delete(organizationId);
    try {
      const question = { name: 'facts', text: FACTS, values: valuesOf(organizationId, batch, now()), query_timeout: ANSWER_WITHIN_MS };
      const { rows } = await pool.query<FactRow>(question as pg.QueryConfig);
      const byPlace = Map.groupBy(rows, (row) => row.at);
      for (const [at, one] of batch.entries()) one.done(factsOf(byPlace.get(at) ?? []));
    } catch (error) {
      for (const one of batch) one.failed(new StoreUnavailable('The lists cannot be looked through.', { cause: error }));
    }
  }

  function askOf(
    organization: Asker,
    { config, campaign }: PublisherTierPlan,
    wanted: FactsWanted | undefined,
    fields: Readonly<Record<string, string>>,
  ): Promise<LeadFacts> | undefined {
    if (!wanted && !organization.refusesErased) return undefined;
    const place = { campaignId: config.campaignId, publisherId: config.publisherId };
    const question = questionOf(organization, wanted ?? NOTHING_WANTED, campaign.vertical.config, fields, place);
    const isEmpty = question.entries.length === 0 && question.person.length === 0 && !question.bank && !question.bin;
    return isEmpty ? undefined : ask(organization.organizationId, question);
  }

  return {
    find: (organization, publisherTierId, fields) => {
      const tier = organization.plan.publisherTiers.get(publisherTierId);
      return tier && askOf(organization, tier, tier.wanted, fields);
    },
    findPerson: (organization, publisherTierId, fields) => {
      const tier = organization.plan.publisherTiers.get(publisherTierId);
      return tier && askOf(organization, tier, undefined, fields);
    },
    pool,
    close: () => pool.end(),
  };
}

function questionOf(
  { keys, refusesErased }: Asker,
  wanted: FactsWanted,
  vertical: VerticalConfig,
  fields: Readonly<Record<string, string>>,
  place: { campaignId: string; publisherId: string },
): Omit<Asking, 'done' | 'failed'> {
  const code = wanted.bankField && fields[wanted.bankField];
  const span = readBinDigits((wanted.binField && fields[wanted.binField]) || '');
  return {
    person: refusesErased ? personHashes(keys, vertical.fields, fields) : [],
    entries: wanted.lists.flatMap((list) => leadHashes(keys, list, vertical.fields, fields).map((hash) => ({ listId: list.id, hash }))),
    bank: code ? { country: vertical.country, code } : undefined,
    bin: span && { low: span.first, high: span.last, ...place },
  };
}

interface FactRow {
  kind: 'list' | 'bank' | 'bin' | 'person';
  at: number;
  id: string | null;
  name: string | null;
  move: Move;
  combination: Combination;
  first_bin: number;
  last_bin: number;
  digits: number;
}

const FACTS = `
  select 'list' as kind, a.at, a.list_id as id, null::text as name, 0 as move, 0 as combination, 0 as first_bin, 0 as last_bin, 0 as digits
    from unnest($2::int[], $3::uuid[], $4::uuid[]) as a (at, list_id, hash)
    cross join lateral (
      select from suppression_entry e where e.organization_id = $1 and e.list_id = a.list_id and e.value_hash = a.hash
        and (e.expires_at is null or e.expires_at > $5::timestamptz) limit 1
    ) as e
  union all
  select 'bank', a.at, null, b.name, b.move, 0, 0, 0, 0
    from unnest($6::int[], $7::text[], $8::text[]) as a (at, country, code)
    cross join lateral (select name, move from bank k where k.organization_id = $1 and k.country = a.country and k.code = a.code limit 1) as b
  union all
  select 'bin', a.at, null, null, f.move, f.combination, f.first_bin, f.last_bin, f.digits
    from unnest($9::int[], $10::int[], $11::int[], $12::uuid[], $13::uuid[]) as a (at, low, high, campaign_id, publisher_id)
    cross join lateral (
      select r.first_bin, r.last_bin, r.digits, m.move, m.combination
        from ${rangesAround('$1', 'a.low', 'a.high')} ${movesFor('$1', 'a.campaign_id', 'a.publisher_id')}
        ${NARROWEST_FIRST}, m.combination limit 1
    ) as f
  union all
  select 'person', a.at, null, null, 0, 0, 0, 0, 0
    from unnest($14::int[], $15::uuid[]) as a (at, hash)
    cross join lateral (select from erased_person p where p.organization_id = $1 and p.value_hash = a.hash limit 1) as p`;

function valuesOf(organizationId: string, batch: Asking[], now: number): unknown[] {
  const entries = batch.flatMap((one, at) => one.entries.map((entry) => ({ at, ...entry })));
  const people = batch.flatMap(({ person }, at) => person.map((hash) => ({ at, hash })));
  const banks = batch.flatMap(({ bank }, at) => (bank ? [{ at, ...bank }] : []));
  const bins = batch.flatMap(({ bin }, at) => (bin ? [{ at, ...bin }] : []));
  return [
    organizationId,
    entries.map(({ at }) => at),
    entries.map(({ listId }) => listId),
    entries.map(({ hash }) => hash),
    new Date(now),
    banks.map(({ at }) => at),
    banks.map(({ country }) => country),
    banks.map(({ code }) => code),
    bins.map(({ at }) => at),
    bins.map(({ low }) => low),
    bins.map(({ high }) => high),
    bins.map(({ campaignId }) => campaignId),
    bins.map(({ publisherId }) => publisherId),
    people.map(({ at }) => at),
    people.map(({ hash }) => hash),
  ];
}

function factsOf(rows: FactRow[]): LeadFacts {
  const facts: LeadFacts = { lists: rows.filter(({ kind }) => kind === 'list').map(({ id }) => id!) };
  const bank = rows.find(({ kind }) => kind === 'bank');
  const bin = rows.find(({ kind }) => kind === 'bin');
  if (rows.some(({ kind }) => kind === 'person')) facts.isErased = true;
  if (bank) facts.bank = { name: bank.name!, move: bank.move };
  if (bin) {
    const range = sayBinRange({ first: bin.first_bin, last: bin.last_bin, digits: bin.digits });
    facts.bin = { range, move: bin.move, combination: bin.combination };
  }
  return facts;
}
