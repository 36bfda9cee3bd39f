/** Keys of the organization: made and revoked by its owner, shown once. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '#contract/message.ts';
import {
  newOrganizationKeyAnswer,
  newOrganizationKeyBody,
  organizationKeyRevokedAnswer,
  organizationKeysAnswer,
} from '#contract/organization-key.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { sha256 } from '#server/kit/crypto.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId, newId } from '#server/kit/ids.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import { type Change, forbidden } from '#server/record/record-change.ts';
import { mayRunOrganization } from '#server/team/team.policy.ts';
import { listKeys } from './organization-key.sql.ts';

const params = z.object({ id: z.string().max(60) });
/** More would be a leak nobody looks after. */
const LIVING_MOST = 10;

export async function organizationKeyRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const call = openRecordCall(options);
  const asOwner: typeof call = (request, use) =>
    call(request, (change) => {
      if (!mayRunOrganization(change.person)) throw forbidden();
      return use(change);
    });
  const told = (summary: string) => ({ tags: ['account'], summary });

  app.get(
    '/api/v1/organization-keys',
    { schema: { ...told('Keys of the organization, the newest first'), response: { 200: organizationKeysAnswer } } },
    (request) => asOwner(request, async ({ tx, person }) => ({ status: true as const, keys: await listKeys(tx, person.organizationId) })),
  );

  app.post(
    '/api/v1/organization-keys',
    { schema: { ...told('Make a key'), body: newOrganizationKeyBody, response: { 200: newOrganizationKeyAnswer } } },
    (request) =>
      asOwner(request, async (change) => {
        const { tx, person } = change;
        const living = (await listKeys(tx, person.organizationId)).filter(({ revokedAt }) => revokedAt === null);
        if (living.length >= LIVING_MOST)
          throw new HttpError(409, 'organization_key_too_many', `${LIVING_MOST} keys are in use. Revoke one first.`);
        const key = `ok_${randomBytes(24).toString('base64url')}`;
        const [id, hint, { name }] = [newId(), key.slice(0, 8), request.body];
        await tx
          .insertInto('organization_key')
          .values({ organization_id: person.organizationId, id, name, hint, key_hash: sha256(key) })
          .execute();
        await note(change, id, name, { keyMade: hint });
        return { status: true as const, msg: MESSAGES.keyMade, key, keys: await listKeys(tx, person.organizationId) };
      }),
  );

  app.post(
    '/api/v1/organization-keys/:id/revoke',
    { schema: { ...told('Revoke a key at once'), params, response: { 200: organizationKeyRevokedAnswer } } },
    (request) =>
      asOwner(request, async (change) => {
        const { tx, person } = change;
        const { id } = request.params;
        const revoked = await tx
          .updateTable('organization_key')
          .set({ revoked_at: new Date() })
          .where('organization_id', '=', person.organizationId)
          .where('id', '=', isId(id) ? id : newId())
          .where('revoked_at', 'is', null)
          .returning(['name', 'hint'])
          .executeTakeFirst();
        if (!revoked) throw new HttpError(404, 'organization_key_unknown', 'There is no such key in use.');
        await note(change, id, revoked.name, { keyRevoked: revoked.hint });
        return { status: true as const, msg: MESSAGES.keyRevoked, keys: await listKeys(tx, person.organizationId) };
      }),
  );
}

async function note({ tx, person, address }: Change, recordId: string, recordName: string, after: Record<string, string>): Promise<void> {
  await insertChange(tx, person, {
    address,
    model: 'organizationKey',
    recordId,
    recordName,
    action: 'edit',
    before: {},
    after,
    rollsBack: null,
  });
}
