/**
 * The compiled configuration of every organization, in memory. A change reaches all nodes by NOTIFY and swaps the plan as a
 * whole: a lead is routed by one plan from start to end. A slow poll catches what a lost connection missed.
 */

import { endpointConfig } from '#contract/endpoint.ts';
import { serviceEndpoint } from '#contract/service.ts';
import { compile } from '#engine/compile.ts';
import type { Plan } from '#engine/compiled.ts';
import type { BuyerTierConfig, SuppressionListConfig } from '#engine/plan.ts';
import type { PreCheck } from '#engine/pre-check.ts';
import type { Problem } from '#engine/problem.ts';
import { compileTier, type TierWire } from '#server/delivery/deliver.ts';
import { ConfigError } from '#server/kit/config.ts';
import { type MasterKey, type OrganizationKeys, openJson, sha256, unwrapKeys } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { type Listener, listen } from '#server/kit/listen.ts';
import type { LandingPageSeat } from '#server/landing-page/landing-page.sql.ts';
import type { ProcessorSeat } from '#server/payment/payment-processor.sql.ts';
import type { WebhookSeat } from '#server/webhook/webhook.sql.ts';
import {
  type BuyerSeat,
  findConfiguration,
  type LoadedOrganization,
  listVersions,
  type PostingKey,
  type PublisherSeat,
  type ServiceSeat,
} from './configuration.sql.ts';

export interface BuyerWire extends BuyerSeat {
  /** Undefined when the endpoint cannot be compiled; calls then fail with an error, never silently. */
  wire: TierWire | undefined;
  /** What is wrong with the endpoint. */
  why?: string;
  /** Decrypted, by the names the endpoint uses. */
  opened: Record<string, string>;
}

export interface ServiceWire extends ServiceSeat {
  /** A check of our own: nobody is called. */
  check?: PreCheck;
  /** Undefined for a check, and when the endpoint cannot be compiled; asking then fails, and the tier's rule for failures decides. */
  wire: TierWire | undefined;
  why?: string;
  opened: Record<string, string>;
}

export interface OrganizationPlan {
  organizationId: string;
  name: string;
  subDomain: string;
  /** How long the links of consumers stay open. */
  redirectHours: number;
  version: number;
  suspended: boolean;
  /** Somebody was erased: each lead is looked up. */
  refusesErased: boolean;
  keys: OrganizationKeys;
  plan: Plan;
  /** What compilation left out or repaired, in words. */
  problems: Problem[];
  publisherSeats: Map<string, PublisherSeat>;
  buyerWires: Map<string, BuyerWire>;
  serviceWires: Map<string, ServiceWire>;
  verticals: LoadedOrganization['verticals'];
  groupNames: Map<string, { name: string; mode: string }>;
  /** Every buyer tier, those that stand in no tree among them. */
  buyerTierConfigs: Map<string, BuyerTierConfig>;
  suppressionLists: readonly SuppressionListConfig[];
  webhooks: readonly WebhookSeat[];
  /** Active landing pages, by id. */
  landingPages: ReadonlyMap<string, LandingPageSeat>;
  /** Payment processors but for archived ones, by id. */
  processors: ReadonlyMap<string, ProcessorSeat>;
}

/** `prefix`: the first characters of the key. */
export type KeyFinding =
  | { found: 'seat' | 'revoked' | 'expired' | 'suspended'; organization: OrganizationPlan; seat: PublisherSeat; prefix: string }
  | { found: 'nothing' };

export interface PlanBook {
  /** Whose key this is. Never touches the database. */
  findKey(key: string, now: number): KeyFinding;
  find(organizationId: string): OrganizationPlan | undefined;
  /** The organization of a sub-domain. */
  findAt(subDomain: string): OrganizationPlan | undefined;
  /** Whose active landing page this is. Never touches the database. */
  findPage(pageId: string): OrganizationPlan | undefined;
  list(): OrganizationPlan[];
  /** Reads one organization again now; resolves when its new plan is in use. */
  reload(organizationId: string): Promise<void>;
  close(): Promise<void>;
}

const POLL_EVERY_MS = 5_000;

/** The organization's key was not wrapped with this installation's SECRET_KEY. */
export class KeyUnusable extends Error {
  override name = 'KeyUnusable';
}

/** An organization that was registered a moment ago may not be in the plan book yet. */
export async function findKeys(db: Db, masterKey: MasterKey, planBook: PlanBook, organizationId: string): Promise<OrganizationKeys> {
  const known = planBook.find(organizationId)?.keys;
  if (known) return known;
  const row = await db.selectFrom('organization').select('data_key').where('id', '=', organizationId).executeTakeFirstOrThrow();
  return unwrapKeys(masterKey, organizationId, row.data_key);
}

/** Throws ConfigError when SECRET_KEY opens no organization's key; a single one that cannot be opened is told to `onError` and left out. */
export async function openPlanBook(options: {
  db: Db;
  connectionString: string;
  masterKey: MasterKey;
  onError: (error: unknown) => void;
}): Promise<PlanBook> {
  const organizations = new Map<string, OrganizationPlan>();
  let postingKeys = new Map<string, { organizationId: string; key: PostingKey }>();
  let pageOwners = new Map<string, string>();
  const loading = new Map<string, Promise<void>>();
  /** Versions whose key could not be opened: told once, and not tried again before something changes. */
  const refused = new Map<string, number>();

  async function read(organizationId: string): Promise<void> {
    const loaded = await findConfiguration(options.db, organizationId);
    if (!loaded) organizations.delete(organizationId);
    else if (loaded.version >= (organizations.get(organizationId)?.version ?? 0)) {
      organizations.set(organizationId, compileOrganization(options.masterKey, organizationId, loaded));
    }
    const others = [...postingKeys].filter(([, entry]) => entry.organizationId !== organizationId);
    const own = (loaded?.postingKeys ?? []).map((key) => [key.keyHash.toString('hex'), { organizationId, key }] as const);
    postingKeys = new Map([...others, ...own]);
    const otherPages = [...pageOwners].filter(([, owner]) => owner !== organizationId);
    pageOwners = new Map([...otherPages, ...(loaded?.landingPages ?? []).map(({ id }) => [id, organizationId] as const)]);
  }

  // Readings of one organization follow each other, so that an older one never replaces a newer.
  function reload(organizationId: string): Promise<void> {
    const next = (loading.get(organizationId) ?? Promise.resolve()).catch(() => {}).then(() => read(organizationId));
    loading.set(organizationId, next);
    return next;
  }

  /** One organization that cannot be read does not keep the others from being read; how many keys could not be opened. */
  async function catchUp(): Promise<number> {
    let unusable = 0;
    const failed: unknown[] = [];
    for (const { id, version } of await listVersions(options.db)) {
      if (organizations.get(id)?.version === version || refused.get(id) === version) continue;
      await reload(id).catch((error) => {
        if (!(error instanceof KeyUnusable)) return void failed.push(error);
        unusable += 1;
        refused.set(id, version);
        options.onError(error);
      });
    }
    if (failed.length > 0) throw failed[0];
    return unusable;
  }

  const quietly = (work: Promise<unknown>) => void work.catch(options.onError);
  const unusable = await catchUp();
  if (unusable > 0 && organizations.size === 0)
    throw new ConfigError('SECRET_KEY: this database was made with another secret. Start with the one it was made with.');
  const listener: Listener = listen(
    options.connectionString,
    { sluice_configuration: (organizationId) => quietly(reload(organizationId)) },
    () => quietly(catchUp()),
  );
  const poll = setInterval(() => quietly(catchUp()), POLL_EVERY_MS);
  poll.unref();

  return {
    findKey(key, now) {
      const entry = postingKeys.get(sha256(key).toString('hex'));
      const organization = entry && organizations.get(entry.organizationId);
      const seat = entry && organization?.publisherSeats.get(entry.key.publisherTierId);
      if (!entry || !organization || !seat) return { found: 'nothing' };
      const { prefix, revokedAt, expiresAt } = entry.key;
      const whose = { organization, seat, prefix };
      if (revokedAt !== null && revokedAt <= now) return { found: 'revoked', ...whose };
      if (expiresAt !== null && expiresAt <= now) return { found: 'expired', ...whose };
      return { found: organization.suspended ? 'suspended' : 'seat', ...whose };
    },
    find: (organizationId) => organizations.get(organizationId),
    findAt: (subDomain) => organizations.values().find((one) => one.subDomain === subDomain),
    findPage(pageId) {
      const owner = pageOwners.get(pageId);
      return owner === undefined ? undefined : organizations.get(owner);
    },
    list: () => [...organizations.values()],
    reload,
    async close() {
      clearInterval(poll);
      await listener.close();
    },
  };
}

export function compileOrganization(masterKey: MasterKey, organizationId: string, loaded: LoadedOrganization): OrganizationPlan {
  const keys = openKeys(masterKey, organizationId, loaded.wrappedKey);
  const { plan, problems } = compile(loaded.configuration);
  const buyerWires = new Map(loaded.buyerSeats.map((seat) => [seat.id, openBuyer(keys, seat)]));
  const serviceWires = new Map(loaded.serviceSeats.map((seat) => [seat.id, openService(keys, seat)]));
  for (const [kind, wires] of [['buyerTier', buyerWires] as const, ['service', serviceWires] as const])
    for (const { id, why } of wires.values())
      if (why) problems.push({ kind, id, severity: 'leftOut', text: `its endpoint cannot be used: ${why}` });
  return {
    organizationId,
    name: loaded.name,
    subDomain: loaded.subDomain,
    redirectHours: loaded.redirectHours,
    version: loaded.version,
    suspended: loaded.suspended,
    refusesErased: loaded.refusesErased,
    keys,
    plan,
    problems,
    publisherSeats: new Map(loaded.publisherSeats.map((seat) => [seat.id, seat])),
    buyerWires,
    serviceWires,
    verticals: loaded.verticals,
    buyerTierConfigs: new Map(loaded.configuration.buyerTiers.map((config) => [config.id, config])),
    suppressionLists: loaded.configuration.suppressionLists ?? [],
    webhooks: loaded.webhooks,
    landingPages: new Map(loaded.landingPages.map((page) => [page.id, page])),
    processors: new Map(loaded.processors.map((one) => [one.id, one])),
    groupNames: new Map(
      [...loaded.configuration.campaigns.flatMap((campaign) => campaign.groups), ...loaded.variantGroups].map(({ id, name, mode }) => [
        id,
        { name, mode },
      ]),
    ),
  };
}

function openKeys(masterKey: MasterKey, organizationId: string, wrapped: Buffer): OrganizationKeys {
  try {
    return unwrapKeys(masterKey, organizationId, wrapped);
  } catch (error) {
    throw new KeyUnusable(`The key of organization ${organizationId} cannot be opened.`, { cause: error });
  }
}

function openBuyer(keys: OrganizationKeys, seat: BuyerSeat): BuyerWire {
  return { ...seat, ...openWire(keys, 'buyer_tier.secrets', seat, endpointConfig, seat.buyerId) };
}

/** Its calls are counted together, apart from those of buyers. */
function openService(keys: OrganizationKeys, seat: ServiceSeat): ServiceWire {
  const opened = openWire(keys, 'service.secrets', seat, serviceEndpoint, `service ${seat.id}`);
  return { ...seat, ...opened, ...(seat.endpoint.check && !opened.why && { check: seat.endpoint.check }) };
}

function openWire(
  keys: OrganizationKeys,
  sealedAs: string,
  seat: Pick<BuyerSeat | ServiceSeat, 'id' | 'endpoint' | 'secrets'>,
  shape: typeof endpointConfig | typeof serviceEndpoint,
  bulkhead: string,
): Pick<BuyerWire, 'wire' | 'why' | 'opened'> {
  const opened = openSecrets(keys, sealedAs, seat);
  if (!opened) return { opened: {}, wire: undefined, why: 'its user names and passwords cannot be decrypted' };
  const checked = shape.safeParse(seat.endpoint);
  if (checked.success) {
    const { post, ...legs } = checked.data;
    return { opened, wire: post && compileTier({ ...legs, post }, bulkhead) };
  }
  const [issue] = checked.error.issues;
  return { opened, wire: undefined, why: `${issue?.path.join('.')}: ${issue?.message}` };
}

function openSecrets(
  keys: OrganizationKeys,
  sealedAs: string,
  { id, secrets }: Pick<BuyerSeat, 'id' | 'secrets'>,
): Record<string, string> | undefined {
  if (!secrets) return {};
  try {
    return openJson<Record<string, string>>(keys, sealedAs, id, secrets);
  } catch {
    return undefined;
  }
}
