/** Keys of publisher tiers and buyers: made, replaced with an overlap, and revoked. A key is shown once, and kept as its hash. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { keyRevokedAnswer, keysAnswer, newKeyAnswer, newKeyBody } from '#contract/key.ts';
import { MESSAGES } from '#contract/message.ts';
import { buyer } from '#server/buyer/buyer.models.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { publisherTier } from '#server/publisher/publisher.models.ts';
import { lockRow } from '#server/record/record.sql.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import { type Change, requireOwn } from '#server/record/record-change.ts';
import { nameOf, type RecordModel, type Row } from '#server/record/record-model.ts';
import { makeReturnKey } from '#server/return/return-key.ts';
import { endKeys, findKeyOwner, insertKey, type KeyTable, listKeys, revokeKey } from './key.sql.ts';

/** A kind of key: who has it, where it is kept, how it is called. */
interface KeyKind {
  keys: KeyTable;
  model: RecordModel;
  owners: string;
  /** Under which a single key is named. */
  name: string;
  make: (organizationId: string) => string;
  prefixLength: number;
}

const KINDS: KeyKind[] = [
  {
    keys: { table: 'posting_key', owner: 'publisher_tier_id' },
    model: publisherTier,
    owners: 'publisher-tiers',
    name: 'posting-keys',
    make: () => `pk_${randomBytes(24).toString('base64url')}`,
    prefixLength: 12,
  },
  {
    keys: { table: 'return_key', owner: 'buyer_id' },
    model: buyer,
    owners: 'buyers',
    name: 'return-keys',
    make: makeReturnKey,
    // It begins with the organization, which tells no two keys apart.
    prefixLength: 32,
  },
];

const params = z.object({ id: z.string().max(60) });
const HOUR_MS = 3_600_000;
/** More would be a leak nobody looks after. */
const LIVING_MOST = 10;

export async function keyRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  for (const kind of KINDS) routesOf(instance, options, kind);
}

function routesOf(instance: FastifyInstance, options: RecordParts, kind: KeyKind): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);
  const whose = kind.model.label.toLowerCase();
  const told = (summary: string) => ({ tags: ['console'], summary, params });

  app.get(
    `/api/console/${kind.owners}/:id/keys`,
    { schema: { ...told(`Keys of a ${whose}, the newest first`), response: { 200: keysAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const owner = await requireOwner(change, kind, request.params.id);
        return { status: true as const, keys: await listKeys(change.tx, change.person.organizationId, kind.keys, String(owner.id)) };
      }),
  );

  app.post(
    `/api/console/${kind.owners}/:id/keys/new`,
    {
      schema: {
        ...told(`Make a key of a ${whose}; with an overlap it replaces the others`),
        body: newKeyBody,
        response: { 200: newKeyAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const { tx, person } = change;
        const owner = await requireOwner(change, kind, request.params.id);
        requireOwn(kind.model, owner);
        if (owner.kind === 'lander') throw ofLander(owner);
        const key = kind.make(person.organizationId);
        const prefix = key.slice(0, kind.prefixLength);
        await replaceKeys(change, kind, String(owner.id), request.body.overlapHours);
        await insertKey(tx, person.organizationId, kind.keys, { ownerId: String(owner.id), key, prefix });
        await note(change, kind, owner, { keyMade: prefix });
        const keys = await listKeys(tx, person.organizationId, kind.keys, String(owner.id));
        return { status: true as const, msg: MESSAGES.keyMade, key, keys };
      }),
  );

  app.post(
    `/api/console/${kind.name}/:id/revoke`,
    { schema: { ...told(`Revoke a key of a ${whose} at once`), response: { 200: keyRevokedAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { tx, person } = change;
        const key = isId(request.params.id) ? await findKeyOwner(tx, person.organizationId, kind.keys, request.params.id) : undefined;
        const owner = key && (await lockRow(tx, kind.model, person, key.ownerId));
        if (!key || !owner) throw unknown(kind);
        requireOwn(kind.model, owner);
        await revokeKey(tx, person.organizationId, kind.keys, request.params.id);
        await note(change, kind, owner, { keyRevoked: key.prefix });
        const keys = await listKeys(tx, person.organizationId, kind.keys, String(owner.id));
        return { status: true as const, msg: MESSAGES.keyRevoked, keys };
      }),
  );
}

async function requireOwner({ tx, person }: Change, kind: KeyKind, id: string): Promise<Row> {
  const row = isId(id) && kind.model.mayRead(person) ? await lockRow(tx, kind.model, person, id) : undefined;
  if (!row || row.status === 'archived') throw unknown(kind);
  return row;
}

function unknown({ keys, model }: KeyKind): HttpError {
  return new HttpError(404, `${keys.table}_unknown`, `There is no such ${model.label.toLowerCase()} or key in your reach.`);
}

function ofLander(owner: Row): HttpError {
  return new HttpError(
    409,
    'posting_key_lander',
    `${owner.name} takes leads from landers alone, and has no keys. Make it a tier that takes leads by API first, or make the key of another.`,
  );
}

/** Keys that were made before go on for the overlap, unless they end sooner. */
async function replaceKeys({ tx, person }: Change, { keys }: KeyKind, ownerId: string, overlapHours: number | null): Promise<void> {
  const living = (await listKeys(tx, person.organizationId, keys, ownerId)).filter((key) => key.isLiving);
  if (overlapHours === null) {
    if (living.length >= LIVING_MOST)
      throw new HttpError(409, `${keys.table}_too_many`, `${LIVING_MOST} keys are in use. Revoke one, or let the new one replace them.`);
    return;
  }
  await endKeys(tx, person.organizationId, keys, ownerId, new Date(Date.now() + overlapHours * HOUR_MS));
}

async function note(change: Change, { model }: KeyKind, owner: Row, after: Record<string, unknown>): Promise<void> {
  // Nodes know posting keys by heart.
  change.routing.isNew ||= model === publisherTier;
  await insertChange(change.tx, change.person, {
    address: change.address,
    model: model.model,
    recordId: String(owner.id),
    recordName: nameOf(model, owner),
    action: 'edit',
    before: {},
    after,
    rollsBack: null,
  });
}
