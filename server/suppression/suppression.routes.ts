/** Entries of a list, by a program of the organization that has one of its keys. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { suppressionAnswer, suppressionBody, suppressionParams } from '#contract/suppression.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { findKeyOwner } from '#server/organization/organization-key.sql.ts';
import { findKeys } from '#server/plan/plan-book.ts';
import type { RecordParts } from '#server/record/record-call.ts';
import { putEntries, removeEntries } from './entry.sql.ts';
import { type EntryList, entryProblem, findHashes, hashEntry } from './entry-hash.ts';
import { findFillableList } from './suppression.sql.ts';

export async function suppressionRoutes(instance: FastifyInstance, { db, setUp, config, planBook }: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  app.post(
    '/api/v1/suppression/:list',
    {
      schema: {
        tags: ['suppression'],
        summary: 'Add entries to a suppression list, and remove some',
        security: [{ organizationKey: [] }],
        params: suppressionParams,
        body: suppressionBody,
        response: { 200: suppressionAnswer },
      },
    },
    async (request) => {
      const organizationId = await requireOwner(request);
      const keys = await findKeys(db, config.masterKey, planBook, organizationId);
      const listId = request.params.list;
      return setUp.inTenant(organizationId, async (tx) => {
        const found = await findFillableList(tx, organizationId, isId(listId) ? listId : organizationId, true);
        if (!found) throw new HttpError(404, 'suppression_list_unknown', 'There is no such list in your organization, or it is archived.');
        const { list } = found;
        const expiresAt = found.expiresAt(Date.now());
        const remove = readAll(list, 'remove', request.body.remove, (text) => findHashes(keys, list, text));
        const add = readAll(list, 'add', request.body.add, (text) => noneIfEmpty(hashEntry(keys, list, text)));
        const hashes = add.read.flat();
        const { removed, found: there } = await removeEntries(tx, { organizationId, listId }, remove.read);
        const added = await putEntries(
          tx,
          { organizationId, listId },
          hashes.map((hash) => ({ hash, expiresAt })),
        );
        const rest = { known: hashes.length - added, unknown: remove.read.length - there };
        return { status: true as const, added, removed, ...rest, errors: [...add.errors, ...remove.errors] };
      });
    },
  );

  async function requireOwner(request: FastifyRequest): Promise<string> {
    const key = /^Bearer +(ok_\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const organizationId = key && (await findKeyOwner(db, key));
    if (organizationId) return organizationId;
    throw new HttpError(
      401,
      'organization_key_unknown',
      'Send a key of your organization as "Authorization: Bearer ok_...". Its owner makes one.',
    );
  }
}

const noneIfEmpty = (hashes: string[]): string[] | undefined => (hashes.length > 0 ? hashes : undefined);

/** What reads as nothing is told by its place. */
function readAll<Read>(list: EntryList, field: string, texts: readonly string[], readOne: (text: string) => Read | undefined) {
  const read: Read[] = [];
  const errors: { field: string; message: string }[] = [];
  for (const [at, text] of texts.entries()) {
    const own = readOne(text);
    if (own === undefined) errors.push({ field: `${field}.${at}`, message: entryProblem(list) });
    else read.push(own);
  }
  return { read, errors };
}
