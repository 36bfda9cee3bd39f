/**
 * The engine and the shell themselves, in simulated time: leads go through acceptLead() and the real store, each on a clock of
 * its own, with the market's characters at the other end of every call.
 */
import type { Pool } from 'pg';
import { NO_BREAKERS } from '#server/breaker/breaker-book.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import type { MasterKey } from '#server/kit/crypto.ts';
import { type Db, openDb } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { acceptLead } from '#server/lead/accept-lead.ts';
import type { Acceptance, IncomingLead, Intake } from '#server/lead/intake.ts';
import { keepAfterwards } from '#server/lead/keep-afterwards.ts';
import { type LeadStore, openLeadStore } from '#server/lead/lead.store.ts';
import { findAnswer } from '#server/lead/posting.sql.ts';
import { insertLate, type LateRow } from '#server/lead/record.sql.ts';
import { openRotation, type Rotation } from '#server/lead/rotation.ts';
import { NO_COUNTING } from '#server/metric/open-metrics.ts';
import { NO_NOTICES } from '#server/notice/notice-sender.ts';
import { findConfiguration } from '#server/plan/configuration.sql.ts';
import { compileOrganization, type OrganizationPlan } from '#server/plan/plan-book.ts';
import { linkOf } from '#server/redirect/redirect-link.ts';
import { NO_RESTS } from '#server/rest/rest-book.ts';
import type { Random } from './random.ts';
import { type LeadClock, openSimulatedOutbound } from './simulated-outbound.ts';

export interface SimulationOptions {
  pool: Pool;
  connectionString: string;
  masterKey: MasterKey;
  marketSeed: number;
  addresses: Pick<Addresses, 'origin'>;
  /** Stamped on what a batch of several leads writes; must not lie after any of them. */
  now: () => number;
}

export interface Simulation {
  db: Db;
  organizations: Map<string, OrganizationPlan>;
  /** One call of a publisher at the time of `clock`, which goes on by what the call takes. */
  post(said: SaidLead, clock: LeadClock, random: Random): Promise<Acceptance>;
  close(): Promise<void>;
}

export type SaidLead = Omit<IncomingLead, 'idempotencyKey' | 'publisherGone'>;

export async function openSimulation(organizationIds: string[], options: SimulationOptions): Promise<Simulation> {
  const db = openDb(options.pool);
  const organizations = new Map<string, OrganizationPlan>();
  for (const id of organizationIds) organizations.set(id, compileOrganization(options.masterKey, id, (await findConfiguration(db, id))!));
  const store = openLeadStore({ connectionString: options.connectionString, nodeId: newId(), now: options.now });
  const rotation = await openRotation(db);
  const lates: LateRow[] = [];

  async function post(said: SaidLead, clock: LeadClock, random: Random): Promise<Acceptance> {
    const outbound = openSimulatedOutbound(clock, options.marketSeed, random);
    const timed = timedStore(store, clock, random);
    const intake = intakeOf({
      db,
      store: timed,
      rotation,
      clock,
      outbound,
      addresses: options.addresses,
      keepLate: async (late) => void lates.push(late),
    });
    clock.at += random.between(0.3, 1.2);
    const accepted = await acceptLead(intake, { ...said, idempotencyKey: undefined, publisherGone: () => false });
    const endedAt = clock.at;
    for (const late of outbound.late.sort((a, b) => a.at - b.at)) {
      clock.at = Math.max(late.at, endedAt);
      late.hear();
    }
    clock.at = endedAt;
    return accepted;
  }

  return {
    db,
    organizations,
    post,
    async close() {
      await store.close();
      for (const late of lates) await insertLate(options.pool, late);
    },
  };
}

interface IntakeParts {
  db: Db;
  store: LeadStore;
  rotation: Rotation;
  clock: LeadClock;
  outbound: Intake['deliver']['outbound'];
  addresses: SimulationOptions['addresses'];
  keepLate: Intake['recordLate'];
}

function intakeOf({ db, store, rotation, clock, outbound, addresses, keepLate }: IntakeParts): Intake {
  return {
    store,
    rotation,
    breakers: NO_BREAKERS,
    notices: NO_NOTICES,
    metrics: NO_COUNTING,
    // The demo world's history has no lists to look through.
    facts: { find: () => undefined, findPerson: () => undefined },
    rests: NO_RESTS,
    unmapped: { count: () => {} },
    deliver: { outbound },
    clock: () => clock.at,
    linkOf: (organization, leadId) => linkOf(addresses, organization, leadId),
    findAnswer: (organization, publisherTierId, leadId) => findAnswer(db, organization, publisherTierId, leadId),
    inFlight: new Map(),
    keepAfterwards: (organizationId, row) => keepAfterwards(db, organizationId, row),
    recordLate: keepLate,
    ended: () => {},
  };
}

/** The real store, with the time that a busy database takes put on the lead's clock. */
function timedStore(store: LeadStore, clock: LeadClock, random: Random): LeadStore {
  const timed = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    clock.at += random.between(1.1, 4.5);
    return result;
  };
  return {
    ...store,
    receive: (organizationId, lead, ops, intent) => timed(store.receive(organizationId, lead, ops, intent)),
    intend: (organizationId, intent) => timed(store.intend(organizationId, intent)),
    finish: (organizationId, result, ops) => timed(store.finish(organizationId, result, ops)),
    book(organizationId, ops) {
      const booked = store.book(organizationId, ops);
      // Nobody waits for what is given back.
      return ops.every((op) => op.kind === 'release') ? booked : timed(booked);
    },
  };
}
