/** The demo world: two organizations with everything set up, and thirty days behind them. Made once, on an empty database. */
import { Client } from 'pg';
import type { DemoSignIn } from '#contract/demo.ts';
import { keepPartitions, migrate } from '#db/migrate.ts';
import { DAY_MS } from '#engine/zone.ts';
import { openAddresses } from '#server/kit/addresses.ts';
import type { Config } from '#server/kit/config.ts';
import { type Db, openDb, openPool } from '#server/kit/database.ts';
import { demoCurl } from './demo-curl.ts';
import { clearDemoWorld, type DemoRecord, findDemoRecord, hasOwnOrganizations, moveMarket } from './demo-record.sql.ts';
import { chooseMarketPort, isMarketPortUsable } from './market-port.ts';
import { type SeedSize, seedWorld } from './seed-world.ts';
import { DEMO_PASSWORD, people } from './world/people.ts';

export interface DemoWorld {
  signIns: DemoSignIn[];
  marketPort: number;
  marketSeed: number;
  /** A command, ready to paste, that sells a lead at the given address. */
  curl(url: string): string;
}

const WHOLE: SeedSize = { days: 30, leadsPerDay: 500 };
type SeedConfig = Pick<Config, 'masterKey' | 'appEnv' | 'rootDomain' | 'port'>;

/**
 * The facts of the demo world, made first where the database is empty. Undefined where there are organizations of somebody's
 * own: those are never seeded over. Nodes that start together wait for each other; a seeding that was killed is begun again.
 */
export async function seedDemoWorld(
  config: SeedConfig,
  url: string,
  say: (text: string) => void,
  size: SeedSize = WHOLE,
): Promise<DemoWorld | undefined> {
  await migrate(url);
  const lock = new Client({ connectionString: url });
  lock.on('error', () => {});
  await lock.connect();
  const pool = openPool(url, 4);
  try {
    await lock.query(`select pg_advisory_lock(hashtext('sluice demo world'))`);
    const db = openDb(pool);
    const known = await findDemoRecord(db);
    if (known?.finishedAt) return await meet(db, known);
    if (await hasOwnOrganizations(db, known?.organizationIds ?? [])) return undefined;
    if (known)
      await clearDemoWorld(
        db,
        known,
        people.map((person) => person.email),
      );
    const now = Date.now();
    await keepPartitions(pool, new Date(now), new Date(now - (size.days + 2) * DAY_MS));
    return factsOf(
      await seedWorld({ pool, connectionString: url, masterKey: config.masterKey, addresses: openAddresses(config), now, size, say }),
    );
  } finally {
    await lock.end();
    await pool.end();
  }
}

/** A demo world that is there: its buyers may have to move when something else has taken their port. */
async function meet(db: Db, record: DemoRecord): Promise<DemoWorld> {
  if (await isMarketPortUsable(record.marketPort, record.marketSeed)) return factsOf(record);
  const marketPort = await chooseMarketPort();
  await moveMarket(db, record, marketPort);
  return factsOf({ ...record, marketPort });
}

function factsOf({ marketPort, marketSeed }: Pick<DemoRecord, 'marketPort' | 'marketSeed'>): DemoWorld {
  const signIns = people.map(({ email, label }) => ({ email, password: DEMO_PASSWORD, label }));
  return { signIns, marketPort, marketSeed, curl: demoCurl };
}
