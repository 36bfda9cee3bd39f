/** Moving in and out: a configuration as one document (design: import and export). For who runs the organization. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { configurationDocument, exportQuery, importAnswer, importBody } from '#contract/configuration-document.ts';
import { DOCUMENT_MAX_BYTES } from '#contract/document-size.ts';
import { MESSAGES } from '#contract/message.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { mayRunOrganization } from '#server/team/team.policy.ts';
import { exportConfiguration } from './export-configuration.ts';
import { importConfiguration } from './import-configuration.ts';

/** The essentials of docs/configuration.md, for whoever has nothing but the running product. */
const EXPORT_SAYS = `For the owner of the organization. Verticals are named by place (\`us/payday\`), everything else by its name; there are no ids. Left out are
secrets (\`secrets\` lists their names), posting keys, people, leads, drafts of ping trees, the change log, and everything archived. What belongs to something archived, or
asks it, stays behind as well: \`notes\` says so. Samples of buyer tiers come along, as far as the document stays within the 20 MiB that an import takes;
\`samples=false\` leaves all of them out.`;
const DOCUMENT_TOO_LARGE = `A document has at most ${DOCUMENT_MAX_BYTES / 1024 / 1024} MiB. Take it in by parts, buyers before the campaigns that name them.`;
const IMPORT_SAYS = `For the owner of the organization. Adds what is not there yet, recognized by its name whatever the size of its letters; what is there already stays as it
is, and nothing is removed. The ping tree of a new campaign is published at once. All of the document is taken in, or nothing of it. \`dryRun\` only tells what would happen.
At most 20 MiB.

The answer counts \`added\` and \`kept\` by model; \`notes\` say what is left to do, such as secrets to write and posting keys to make.

Refused with 400 \`configuration_invalid\` (not such a document; \`errors\` name the places), 400 \`configuration_reference\` (names something that is not there), 400 with the
code of a record's own check (\`record_value_invalid\`, \`tier_invalid\`, ...; the message begins with the place), 403 \`configuration_forbidden\`, 409 \`record_name_taken\`,
409 \`import_under_way\`, 413 \`body_too_large\`.`;

/** Undoes a transaction that was only a rehearsal. */
class Rehearsed extends Error {
  readonly result: Awaited<ReturnType<typeof importConfiguration>>;
  constructor(result: Awaited<ReturnType<typeof importConfiguration>>) {
    super('rehearsed');
    this.result = result;
  }
}

export async function configurationRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);

  app.get(
    '/api/v1/configuration/export',
    {
      schema: {
        tags: ['console'],
        summary: 'Everything that is set up, as one document without secrets',
        description: EXPORT_SAYS,
        querystring: exportQuery,
        response: { 200: configurationDocument },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        requireRunner(change.person);
        return exportConfiguration(change, request.query.samples === 'true');
      }),
  );

  app.post(
    '/api/v1/configuration/import',
    {
      bodyLimit: DOCUMENT_MAX_BYTES,
      config: { tooLarge: DOCUMENT_TOO_LARGE },
      schema: {
        tags: ['console'],
        summary: 'Add what a document holds and is not there yet; all of it or nothing',
        description: IMPORT_SAYS,
        body: importBody,
        response: { 200: importAnswer },
      },
    },
    async (request) => {
      const { document, dryRun } = request.body;
      const result = await asPerson(request, async (change) => {
        requireRunner(change.person);
        const read = configurationDocument.safeParse(document);
        if (!read.success) throw notADocument(read.error.issues);
        await requireOnly(change);
        const done = await importConfiguration(change, read.data);
        if (dryRun) throw new Rehearsed(done);
        return done;
      }).catch((error) => {
        if (error instanceof Rehearsed) return error.result;
        throw error;
      });
      return { status: true as const, msg: dryRun ? MESSAGES.importRehearsed : MESSAGES.imported, ...result };
    },
  );
}

function requireRunner(person: SignedIn): void {
  if (!mayRunOrganization(person))
    throw new HttpError(403, 'configuration_forbidden', 'Only the owner of the organization may move its configuration.');
}

/** One import of an organization at a time, over all nodes: a second one would only wait for the first, and add what that adds. */
async function requireOnly({ tx, person }: Change): Promise<void> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`import of ${person.organizationId}`}, 0)) as free`.execute(tx);
  if (!rows[0]!.free)
    throw new HttpError(
      409,
      'import_under_way',
      'Another import of your organization is under way. Wait until it has ended, then try again.',
    );
}

function notADocument(issues: readonly { path: PropertyKey[]; message: string }[]): HttpError {
  const errors = issues.slice(0, 20).map((issue) => ({ field: ['document', ...issue.path].map(String).join('.'), message: issue.message }));
  return new HttpError(400, 'configuration_invalid', `This is not a configuration of Sluice: ${errors[0]!.field}: ${errors[0]!.message}`, {
    errors,
  });
}
