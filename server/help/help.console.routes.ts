/** Help content is edited by super admins (product.md): every change is a version, and every version can stand again. */
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  helpChanged,
  helpEntryAnswer,
  helpListAnswer,
  helpNameQuery,
  helpRemove,
  helpRestore,
  helpSave,
  helpText,
} from '#contract/help.ts';
import { fillModule, MESSAGES } from '#contract/message.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { mayEditHelp } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { findHelp, findVersion, type HelpRow, type HelpState, listHelp, listVersions, lockHelp, putHelp } from './help.sql.ts';
import { viewEntry, viewVersion } from './help.view.ts';
import type { HelpBook } from './help-book.ts';

interface HelpConsoleParts {
  db: Db;
  config: Config;
  help: HelpBook;
}

const BASE = '/api/console/help';
const MOST_ENTRIES = 5000;

export async function helpConsoleRoutes(instance: FastifyInstance, { db, config, help }: HelpConsoleParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const cookies = sessionCookies(config.appEnv);
  const told = (summary: string) => ({ tags: ['console'], summary });

  const requireEditor = async (request: FastifyRequest): Promise<SignedIn> => {
    const person = await requireSignedIn(db, cookies, request);
    if (!mayEditHelp(person))
      throw new HttpError(403, 'help_forbidden', 'Help is the same for every organization here: ask a super admin to change it.');
    return person;
  };

  /** One change of one entry, which `next` makes out of how it is now. */
  const change = async (
    request: FastifyRequest,
    { kind, key, version }: { kind: string; key: string; version: number },
    next: (row: HelpRow | undefined, tx: Db) => Promise<HelpState>,
  ): Promise<number> => {
    requireOwnPage(request);
    const person = await requireEditor(request);
    const changed = await db.transaction().execute(async (tx) => {
      await lockHelp(tx);
      const row = await findHelp(tx, kind, key);
      requireAsRead(row, version);
      const state = await next(row, tx);
      if (row && isSame(row, state)) return row.version;
      await putHelp(tx, [{ ...state, ...ownershipOf(row, state), version: (row?.version ?? 0) + 1, changed_by: nameOf(person) }]);
      return (row?.version ?? 0) + 1;
    });
    help.forget();
    return changed;
  };

  app.get(BASE, { schema: { ...told('All help content, removed entries too'), response: { 200: helpListAnswer } } }, async (request) => {
    await requireEditor(request);
    return { status: true as const, entries: (await listHelp(db)).map(viewEntry) };
  });

  app.get(
    `${BASE}/entry`,
    { schema: { ...told('An entry of the help with its versions'), querystring: helpNameQuery, response: { 200: helpEntryAnswer } } },
    async (request) => {
      await requireEditor(request);
      const { kind, key } = request.query;
      const row = requireEntry(await findHelp(db, kind, key));
      const versions = (await listVersions(db, kind, key)).map(viewVersion);
      const shipped = row.is_own ? row.shipped : null;
      return { status: true as const, entry: viewEntry(row), shipped: shipped as never, versions };
    },
  );

  app.post(
    `${BASE}/save`,
    { schema: { ...told('Add or change an entry of the help'), body: helpSave, response: { 200: helpChanged } } },
    async (request) => {
      const { entry, version } = request.body;
      const saved = await change(request, { ...entry, version }, async (row, tx) => {
        if (!row) await requireRoom(tx);
        return { ...entry, is_removed: false };
      });
      return {
        status: true as const,
        msg: fillModule(version === 0 ? MESSAGES.moduleAdded : MESSAGES.moduleSaved, 'Help'),
        version: saved,
      };
    },
  );

  app.post(
    `${BASE}/remove`,
    { schema: { ...told('Take an entry out of the help; its versions stay'), body: helpRemove, response: { 200: helpChanged } } },
    async (request) => {
      const version = await change(request, request.body, async (row) => ({ ...requireEntry(row), is_removed: true }));
      return { status: true as const, msg: fillModule(MESSAGES.moduleDeleted, 'Help'), version };
    },
  );

  app.post(
    `${BASE}/restore`,
    {
      schema: {
        ...told('Let an earlier version of an entry stand again, or the product’s own'),
        body: helpRestore,
        response: { 200: helpChanged },
      },
    },
    async (request) => {
      const { kind, key, from } = request.body;
      const version = await change(request, request.body, async (row, tx) => {
        const entry = requireEntry(row);
        const source = from === 'product' ? entry.shipped : await findVersion(tx, kind, key, from);
        if (!source) throw new HttpError(404, 'help_version_unknown', 'There is no such version of this entry. Choose one of its list.');
        // What was stored is judged as what is typed: the rules may have changed since.
        const text = helpText.safeParse({ kind, key, tags: source.tags, body: source.body });
        if (!text.success)
          throw new HttpError(400, 'help_version_invalid', 'This version breaks rules of today. Copy what you need of it instead.');
        return { ...text.data, is_removed: false };
      });
      return { status: true as const, msg: fillModule(MESSAGES.moduleRestored, 'Help'), version };
    },
  );
}

const nameOf = ({ firstName, lastName, email }: SignedIn): string => `${firstName} ${lastName}`.trim() || email;

function requireEntry(row: HelpRow | undefined): HelpRow {
  if (!row) throw new HttpError(404, 'help_unknown', 'There is no such entry in the help. Choose one of the list.');
  return row;
}

function requireAsRead(row: HelpRow | undefined, version: number): void {
  if (!row && version > 0) requireEntry(row);
  if (row && version === 0)
    throw new HttpError(
      409,
      'help_key_taken',
      `There is an entry with this key already${row.is_removed ? ', removed: restore it' : ''}. Choose another key.`,
    );
  if (row && row.version !== version)
    throw new HttpError(
      409,
      'help_changed',
      `${row.changed_by} has changed this entry meanwhile. Open it anew; what you typed can be copied first.`,
    );
}

async function requireRoom(tx: Db): Promise<void> {
  const { count } = await tx
    .selectFrom('help_entry')
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= MOST_ENTRIES)
    throw new HttpError(409, 'help_full', `The help holds ${MOST_ENTRIES} entries at most. Change one that is there.`);
}

const isSame = (row: HelpState, state: HelpState): boolean =>
  row.is_removed === state.is_removed && isDeepStrictEqual([row.tags, row.body], [state.tags, state.body]);

/** As the product brings it, an entry goes on following the product. */
function ownershipOf(row: HelpRow | undefined, state: HelpState) {
  const shipped = row?.shipped ?? null;
  const isProducts = !state.is_removed && isDeepStrictEqual(shipped, { tags: state.tags, body: state.body });
  return { shipped, is_own: !isProducts };
}
