/** The organization's logos: put up and taken down by the owner, shown to everybody who is signed in (account §2, console §3). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { LOGO_MAX_BYTES, type LogoKind, PICTURE_TYPES } from '#contract/logo.ts';
import { MESSAGES } from '#contract/message.ts';
import { logoKind } from '#contract/organization.ts';
import { doneAnswer } from '#contract/team.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireAnybody, requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { requireTeamRunner } from '#server/team/team.policy.ts';
import { pictureType } from './logo-file.ts';

const params = z.object({ kind: logoKind });
const COLUMNS = { standard: ['logo', 'logo_type'], light: ['light_logo', 'light_logo_type'] } as const;

const LOGO_TOO_LARGE = `A logo has at most ${LOGO_MAX_BYTES / 1024} KiB. Make it smaller, and put it up again.`;

export async function logoRoutes(instance: FastifyInstance, options: { db: Db; config: Config }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db } = options;
  const cookies = sessionCookies(options.config.appEnv);
  app.addContentTypeParser([...PICTURE_TYPES], { parseAs: 'buffer', bodyLimit: LOGO_MAX_BYTES }, (_request, body, parsed) =>
    parsed(null, body),
  );

  app.get(
    '/organization-logos/:kind',
    {
      schema: {
        tags: ['account'],
        summary: 'A logo of one’s own organization',
        params,
        response: { 200: { description: 'The picture.', content: { 'image/*': { schema: z.string().meta({ format: 'binary' }) } } } },
      },
    },
    async (request, reply) => {
      const person = await requireAnybody(db, cookies, request);
      const [picture, type] = COLUMNS[request.params.kind];
      const row = await inTenant(db, person.organizationId, (tx) =>
        tx.selectFrom('organization').select([picture, type]).where('id', '=', person.organizationId).executeTakeFirst(),
      );
      const found = row as Record<string, Buffer | string | null> | undefined;
      if (!found?.[picture]) throw new HttpError(404, 'logo_unknown', 'Your organization has no such logo.');
      return (
        reply
          .type(String(found[type]))
          .header('content-disposition', 'inline')
          // Its address changes with it.
          .header('cache-control', 'private, max-age=31536000, immutable')
          .serializer((body) => body as never)
          .send(found[picture] as never)
      );
    },
  );

  app.post(
    '/api/v1/teamMgmt/organization/logo/:kind',
    {
      config: { tooLarge: LOGO_TOO_LARGE },
      schema: {
        tags: ['account'],
        summary: 'Put a logo up: PNG, JPEG, GIF or BMP of at most 512 KiB',
        params,
        response: { 200: doneAnswer },
      },
    },
    async (request) => {
      const { body } = request;
      const person = await enter(request);
      const type = Buffer.isBuffer(body) ? pictureType(body) : undefined;
      if (!type) throw new HttpError(415, 'logo_type_refused', 'A logo is a PNG, JPEG, GIF or BMP picture of at most 512 KiB.');
      await setLogo(person, request, body as Buffer, type);
      return { status: true as const, msg: MESSAGES.saved };
    },
  );

  app.post(
    '/api/v1/teamMgmt/organization/logo/:kind/remove',
    { schema: { tags: ['account'], summary: 'Take a logo down', params, response: { 200: doneAnswer } } },
    async (request) => {
      await setLogo(await enter(request), request, null, null);
      return { status: true as const, msg: MESSAGES.removed };
    },
  );

  async function enter(request: FastifyRequest): Promise<SignedIn> {
    requireOwnPage(request);
    const person = await requireSignedIn(db, cookies, request);
    requireTeamRunner(person);
    return person;
  }

  async function setLogo(
    person: SignedIn,
    { ip, params: { kind } }: { ip: string; params: { kind: LogoKind } },
    picture: Buffer | null,
    type: string | null,
  ): Promise<void> {
    const { organizationId } = person;
    const change = kind === 'light' ? { light_logo: picture, light_logo_type: type } : { logo: picture, logo_type: type };
    const field = kind === 'light' ? 'lightLogo' : 'logo';
    await inTenant(db, organizationId, async (tx) => {
      const { name } = await tx
        .updateTable('organization')
        .set(change)
        .where('id', '=', organizationId)
        .returning('name')
        .executeTakeFirstOrThrow();
      await insertChange(tx, person, {
        ...{ address: networkOf(ip), model: 'organization', recordId: organizationId, recordName: name, action: 'edit', rollsBack: null },
        before: { [field]: null },
        after: { [field]: picture ? 'a new picture' : 'none' },
      });
    });
  }
}
