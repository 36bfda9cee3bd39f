/** Keys of a publisher tier: made, replaced with an overlap, and revoked. A key is shown once, and kept as its hash. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '#contract/message.ts';
import { keyRevokedAnswer, newKeyAnswer, newKeyBody, type PostingKeyView, postingKeysAnswer } from '#contract/posting-key.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { sha256 } from '#server/kit/crypto.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId, newId } from '#server/kit/ids.ts';
import { lockRow } from '#server/record/record.sql.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import { nameOf, type Row } from '#server/record/record-model.ts';
import { publisherTier } from './publisher.models.ts';

const params = z.object({ id: z.string().max(60) });
const HOUR_MS = 3_600_000;
/** More would be a leak nobody looks after. */
const LIVING_MOST = 10;

export async function postingKeyRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);
  const told = (summary: string) => ({ tags: ['console'], summary, params });

  app.get(
    '/api/console/publisher-tiers/:id/keys',
    { schema: { ...told('Keys of a publisher tier, the newest first'), response: { 200: postingKeysAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const tier = await requireTier(change, request.params.id);
        return { status: true as const, keys: await listKeys(change, String(tier.id)) };
      }),
  );

  app.post(
    '/api/console/publisher-tiers/:id/keys/new',
    { schema: { ...told('Make a key; with an overlap it replaces the others'), body: newKeyBody, response: { 200: newKeyAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const tier = await requireTier(change, request.params.id);
        const key = `pk_${randomBytes(24).toString('base64url')}`;
        await replaceKeys(change, String(tier.id), request.body.overlapHours);
        await insertKey(change, String(tier.id), key);
        await note(change, tier, { keyMade: key.slice(0, 12) });
        return { status: true as const, msg: MESSAGES.keyMade, key, keys: await listKeys(change, String(tier.id)) };
      }),
  );

  app.post(
    '/api/console/posting-keys/:id/revoke',
    { schema: { ...told('Revoke a key at once'), response: { 200: keyRevokedAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const key = isId(request.params.id) ? await findKey(change, request.params.id) : undefined;
        const tier = key && (await lockRow(change.tx, publisherTier, change.person, key.publisher_tier_id));
        if (!key || !tier) throw unknown();
        await change.tx
          .updateTable('posting_key')
          .set({ revoked_at: new Date() })
          .where('organization_id', '=', change.person.organizationId)
          .where('id', '=', key.id)
          .where('revoked_at', 'is', null)
          .execute();
        await note(change, tier, { keyRevoked: key.prefix });
        return { status: true as const, msg: MESSAGES.keyRevoked, keys: await listKeys(change, String(tier.id)) };
      }),
  );
}

async function requireTier({ tx, person }: Change, id: string): Promise<Row> {
  const row = isId(id) && publisherTier.mayRead(person) ? await lockRow(tx, publisherTier, person, id) : undefined;
  if (!row || row.status === 'archived') throw unknown();
  return row;
}

function unknown(): HttpError {
  return new HttpError(404, 'posting_key_unknown', 'There is no such publisher tier or key in your reach.');
}

function findKey({ tx, person }: Change, id: string) {
  return tx
    .selectFrom('posting_key')
    .selectAll()
    .where('organization_id', '=', person.organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Keys that were made before go on for the overlap, unless they end sooner. */
async function replaceKeys({ tx, person }: Change, tierId: string, overlapHours: number | null): Promise<void> {
  const living = (await listKeys({ tx, person }, tierId)).filter((key) => key.isLiving);
  if (overlapHours === null) {
    if (living.length >= LIVING_MOST)
      throw new HttpError(409, 'posting_key_too_many', `${LIVING_MOST} keys are in use. Revoke one, or let the new one replace them.`);
    return;
  }
  const endsAt = new Date(Date.now() + overlapHours * HOUR_MS);
  await tx
    .updateTable('posting_key')
    .set({ expires_at: endsAt })
    .where('organization_id', '=', person.organizationId)
    .where('publisher_tier_id', '=', tierId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', endsAt)]))
    .execute();
}

async function insertKey({ tx, person }: Change, tierId: string, key: string): Promise<void> {
  await tx
    .insertInto('posting_key')
    .values({
      organization_id: person.organizationId,
      id: newId(),
      publisher_tier_id: tierId,
      key_hash: sha256(key),
      prefix: key.slice(0, 12),
      expires_at: null,
      revoked_at: null,
    })
    .execute();
}

async function listKeys({ tx, person }: Pick<Change, 'tx' | 'person'>, tierId: string): Promise<PostingKeyView[]> {
  const rows = await tx
    .selectFrom('posting_key')
    .select(['id', 'prefix', 'created_at', 'expires_at', 'revoked_at'])
    .where('organization_id', '=', person.organizationId)
    .where('publisher_tier_id', '=', tierId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    prefix: row.prefix,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    isLiving: row.revoked_at === null && (row.expires_at === null || row.expires_at.getTime() > Date.now()),
  }));
}

async function note(change: Change, tier: Row, after: Record<string, unknown>): Promise<void> {
  change.routing.isNew = true;
  await insertChange(change.tx, change.person, {
    address: change.address,
    model: 'publisherTier',
    recordId: String(tier.id),
    recordName: nameOf(publisherTier, tier),
    action: 'edit',
    before: {},
    after,
    rollsBack: null,
  });
}
