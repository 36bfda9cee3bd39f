/** Makes the whole demo world: configuration, people, history. */
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { DAY_MS } from '#engine/zone.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import type { MasterKey } from '#server/kit/crypto.ts';
import { type Db, openDb } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { type DemoRecord, insertDemoRecord, marketUrlAt, setFinished } from './demo-record.sql.ts';
import { makeHistory } from './history.ts';
import { insertAbTests } from './insert-ab-tests.ts';
import { countVisits } from './insert-card.ts';
import { insertPromotions } from './insert-promotions.ts';
import { type InsertedOrganization, insertOrganization, insertPeople } from './insert-world.ts';
import { makeBooks } from './make-books.ts';
import { makePayments } from './make-payments.ts';
import { chooseMarketPort } from './market-port.ts';
import { describeWorld } from './world/organizations.ts';
import { people } from './world/people.ts';

export interface SeedSize {
  days: number;
  /** Of both organizations together. */
  leadsPerDay: number;
}

export interface SeedOptions {
  pool: Pool;
  connectionString: string;
  masterKey: MasterKey;
  addresses: Pick<Addresses, 'origin'>;
  now: number;
  size: SeedSize;
  say: (text: string) => void;
}

/** What the volumes of world/publishers.ts add up to. */
const DESCRIBED_PER_DAY = 515;
/** The simulated buyers decide by it; another one would be another past. */
const MARKET_SEED = 2_718;
/** The last lead of the past came in a minute ago. */
const LAST_LEAD_MS = 60_000;
const NEARLY_FULL = 0.96;

/** Expects a migrated database without organizations and with partitions for the whole time. */
export async function seedWorld(options: SeedOptions): Promise<Pick<DemoRecord, 'marketPort' | 'marketSeed'>> {
  const { now, size, say } = options;
  say('Making the demo world: two organizations, seven publishers, ten buyers.');
  const db = openDb(options.pool);
  const marketPort = await chooseMarketPort();
  const organizations = await insertConfiguration(db, options, marketPort);
  say(`Making ${size.days} days of history, lead by lead, through the engine ...`);
  const startedAt = performance.now();
  const leads = await makeHistory(organizations, {
    ...options,
    marketSeed: MARKET_SEED,
    from: now - size.days * DAY_MS,
    until: now - LAST_LEAD_MS,
    scale: size.leadsPerDay / DESCRIBED_PER_DAY,
  });
  await makeBooks(db, organizations, { from: now - size.days * DAY_MS, until: now - LAST_LEAD_MS });
  await makePayments(db, organizations, { ...options, until: now - LAST_LEAD_MS });
  await tidy(db, organizations);
  await setFinished(db);
  const seconds = (performance.now() - startedAt) / 1000;
  say(`The demo world is ready: ${leads.toLocaleString('en')} leads in ${seconds.toFixed(1)} s.`);
  return { marketPort, marketSeed: MARKET_SEED };
}

/** In one transaction with the record of the demo world, so that what was begun can always be told from somebody's own data. */
function insertConfiguration(db: Db, { masterKey, now, size }: SeedOptions, marketPort: number): Promise<InsertedOrganization[]> {
  return db.transaction().execute(async (tx) => {
    const worlds = describeWorld(now).map((world) => ({ id: newId(), world }));
    await insertDemoRecord(tx, { organizationIds: worlds.map(({ id }) => id), marketPort, marketSeed: MARKET_SEED });
    const organizations: InsertedOrganization[] = [];
    const createdAt = new Date(now - (size.days + 7) * DAY_MS);
    for (const { id, world } of worlds) {
      const inserted = await insertOrganization(tx, id, world, { masterKey, marketUrl: marketUrlAt(marketPort), createdAt });
      await insertPromotions(tx, inserted, now);
      await insertAbTests(tx, inserted, new Date(now - size.days * DAY_MS));
      organizations.push(inserted);
    }
    await insertPeople(tx, people, organizations);
    return organizations;
  });
}

async function tidy(db: Db, organizations: InsertedOrganization[]): Promise<void> {
  await setCapsNearlyFull(db, organizations);
  await followLinks(db);
  await countVisits(db);
  await db.deleteFrom('idempotency').where('expires_at', '<', new Date()).execute();
  await sql`analyze`.execute(db);
}

/** Most consumers went on to the buyer within a minute, some twice; the same ones in every demo world of one past. */
async function followLinks(db: Db): Promise<void> {
  const chance = sql`('x' || substr(md5(lead_id::text), 1, 6))::bit(24)::int`;
  await sql`update redirect set followed_at = given_at + (800 + ${chance} % 42000) * interval '1 millisecond', follows = 1 + (${chance} % 9 = 0)::int
    where ${chance} % 100 < 78`.execute(db);
}

/** An order that is about to be used up, as every demo of caps needs one. */
async function setCapsNearlyFull(db: Db, organizations: InsertedOrganization[]): Promise<void> {
  for (const { id, world, buyerTiers } of organizations) {
    const tiers = world.buyers.flatMap((buyer) => buyer.tiers).filter((tier) => tier.nearlyFull);
    for (const { slug, caps = [] } of tiers) {
      const tierId = buyerTiers.get(slug)!;
      const counted = await db
        .selectFrom('counter')
        .select('used')
        .where('organization_id', '=', id)
        .where('counter', '=', `${tierId}:sold:overall:ever`)
        .executeTakeFirst();
      const limit = Math.ceil((counted?.used ?? 0) / NEARLY_FULL) + 1;
      const overall = { measure: 'sold', period: 'overall', limit, timeZone: world.timeZone };
      const others = caps.filter((cap) => cap.period !== 'overall');
      await db
        .updateTable('buyer_tier')
        .set({ caps: JSON.stringify([...others, overall]) })
        .where('organization_id', '=', id)
        .where('id', '=', tierId)
        .execute();
    }
  }
}
