/** The picture of a card: put up and taken down by who may set up its vertical. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { AVATAR_MAX_BYTES, cardParams } from '#contract/card.ts';
import { PICTURE_TYPES } from '#contract/logo.ts';
import { MESSAGES } from '#contract/message.ts';
import { doneAnswer } from '#contract/team.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { pictureType } from '#server/organization/logo-file.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import { maySetUpIn } from '#server/session/session.policy.ts';

const PICTURE_TOO_LARGE = `A picture has at most ${AVATAR_MAX_BYTES / 1024} KiB. Make it smaller, and put it up again.`;

export async function cardPictureRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);
  app.addContentTypeParser([...PICTURE_TYPES], { parseAs: 'buffer', bodyLimit: AVATAR_MAX_BYTES }, (_request, body, parsed) =>
    parsed(null, body),
  );

  app.post(
    '/api/console/cards/:id/picture',
    {
      config: { tooLarge: PICTURE_TOO_LARGE },
      schema: {
        tags: ['console'],
        summary: 'Put up the picture of a card: PNG, JPEG, GIF or BMP of at most 512 KiB',
        params: cardParams,
        response: { 200: doneAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const { body } = request;
        const type = Buffer.isBuffer(body) ? pictureType(body) : undefined;
        if (!type) throw new HttpError(415, 'picture_type_refused', 'A picture is a PNG, JPEG, GIF or BMP of at most 512 KiB.');
        await setPicture(change, request.params.id, { avatar: body as Buffer, avatar_type: type, avatar_at: new Date() });
        return { status: true as const, msg: MESSAGES.saved };
      }),
  );

  app.post(
    '/api/console/cards/:id/picture/remove',
    { schema: { tags: ['console'], summary: 'Take the picture of a card down', params: cardParams, response: { 200: doneAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        await setPicture(change, request.params.id, { avatar: null, avatar_type: null, avatar_at: null });
        return { status: true as const, msg: MESSAGES.removed };
      }),
  );
}

async function setPicture(
  { tx, person, address }: Change,
  id: string,
  picture: { avatar: Buffer | null; avatar_type: string | null; avatar_at: Date | null },
): Promise<void> {
  const { organizationId } = person;
  const card = isId(id)
    ? await tx
        .selectFrom('card')
        .select(['name', 'vertical_id', 'status'])
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!card || !maySetUpIn(person, card.vertical_id)) throw new HttpError(404, 'record_unknown', 'There is no such card.');
  if (card.status === 'archived') throw new HttpError(409, 'record_archived', 'The card is archived. Restore it first.');
  await tx.updateTable('card').set(picture).where('organization_id', '=', organizationId).where('id', '=', id).execute();
  await insertChange(tx, person, {
    ...{ address, model: 'card', recordId: id, recordName: card.name, action: 'edit', rollsBack: null },
    before: { picture: null },
    after: { picture: picture.avatar ? 'a new picture' : 'none' },
  });
}
