/** Beside the record of a feed: its runs, a test of where it goes, and what its calls are signed with. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { CSV_MARK } from '#contract/csv.ts';
import {
  FEED_RUNS_SHOWN,
  type FeedDestination,
  type FeedRunView,
  type FeedTrial,
  feedDone,
  feedParams,
  feedRunParams,
  feedRunsAnswer,
  feedRunsQuery,
  feedSecretAnswer,
  feedSecretRenewed,
  feedTrial,
} from '#contract/export.ts';
import { MESSAGES } from '#contract/message.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { signatureOf } from '#server/delivery/sign-request.ts';
import { type OrganizationKeys, openJson } from '#server/kit/crypto.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { newId } from '#server/kit/ids.ts';
import { requireTry } from '#server/kit/throttle.ts';
import { openTurnstile } from '#server/kit/turnstile.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import { mayOpenPageIn, mayUnmask } from '#server/session/session.policy.ts';
import { saidBy } from '#server/webhook/webhook-message.ts';
import { EXPORT_PAGE } from './export.job.ts';
import { listExportFields, openRowWriter } from './export-columns.ts';
import { FEED_SECRETS, type FeedSecrets } from './export-feed.model.ts';
import { type FeedRow, findFeed, insertRun, listRuns, type RunRow, runAgain, SETTLED_MS } from './feed-run.sql.ts';
import type { FeedRunner } from './feed-runner.ts';
import { CONTENT_TYPES, feedSigningOf, fileHeaders, type Ways } from './send-file.ts';
import { trySftp } from './send-sftp.ts';

const ok = { status: true as const };
const TRY_TIME_MS = 15_000;
const HOUR_MS = 3_600_000;
/** Of one person: each connects to a server of their choice. */
const TESTS = { limit: 10, windowMs: 60_000 };
/** Of an organization, whoever presses: each test mails up to ten addresses, and each run is a file of its own. */
const MAIL_TESTS = { limit: 20, windowMs: HOUR_MS };
const RUNS = { limit: 60, windowMs: HOUR_MS };

export async function exportFeedRoutes(
  instance: FastifyInstance,
  options: RecordParts & { ways: Ways; feeds: Pick<FeedRunner, 'wake'>; clock: () => number },
): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, ways, feeds, clock } = options;
  const asPerson = openRecordCall(options);
  const trials = openTurnstile(1, 8);
  /** Whoever knows the secret can send in the name of the feed: of one that holds persons, who may see them. */
  const requireSigning = async (change: Change, id: string): Promise<FeedRow> => {
    const feed = await requireFeed(change, id);
    if (feed.content.unmasked && !mayUnmask(change.person))
      throw new HttpError(
        403,
        'feed_unmask_forbidden',
        'The secret of a feed with the values of persons as they are is for who may see them: an owner.',
      );
    return feed;
  };
  const told = (summary: string) => ({ tags: ['console'], summary, params: feedParams });
  const takeRun = (organizationId: string) =>
    requireTry(db, `feed runs of ${organizationId}`, RUNS, 'feed_run_rate_limited', 'Many runs were asked for within the hour.');
  const takeTest = async ({ person }: Change, { kind }: FeedDestination) => {
    await requireTry(db, `feed tests of ${person.userId}`, TESTS, 'feed_test_rate_limited', 'Many tests were made.');
    const mails = `feed test mails of ${person.organizationId}`;
    if (kind === 'mail') await requireTry(db, mails, MAIL_TESTS, 'feed_test_rate_limited', 'Many tests were mailed within the hour.');
  };

  app.get(
    '/api/console/export-feeds/:id/runs',
    { schema: { ...told('The runs of a feed, newest first'), querystring: feedRunsQuery, response: { 200: feedRunsAnswer } } },
    async (request) =>
      asPerson(request, async (change) => {
        const feed = await requireFeed(change, request.params.id);
        const rows = await listRuns(change.tx, feed.organization_id, feed.id, request.query.before, FEED_RUNS_SHOWN + 1);
        const runs = rows.slice(0, FEED_RUNS_SHOWN).map(viewRun);
        return { ...ok, runs, older: rows.length > runs.length ? runs.at(-1)!._id : null };
      }),
  );

  app.post(
    '/api/console/export-feeds/:id/run',
    { schema: { ...told('Runs a feed now, over what came since its last run'), response: { 200: feedDone } } },
    async (request) => {
      await asPerson(request, async (change) => {
        await requireFeed(change, request.params.id);
        await change.tx
          .selectFrom('export_feed')
          .select('id')
          .where('organization_id', '=', change.person.organizationId)
          .where('id', '=', request.params.id)
          .forUpdate()
          .execute();
        const feed = await requireFeed(change, request.params.id);
        if (feed.status !== 'active') throw new HttpError(409, 'feed_paused', 'The feed is paused. Let it go on first.');
        const to = clock() - SETTLED_MS;
        if (to <= feed.covered_to.getTime())
          throw new HttpError(
            409,
            'feed_ran',
            'Its last run is no older than the leads of the last three minutes, which may still be under way. Try again in a moment.',
          );
        await takeRun(feed.organization_id);
        await insertRun(change.tx, feed, to, clock());
      });
      feeds.wake();
      return { ...ok, msg: MESSAGES.feedRuns };
    },
  );

  app.post(
    '/api/console/export-feeds/:id/runs/:runId/again',
    {
      schema: {
        ...told('Sends a run once more, from the first try on, with the same leads'),
        params: feedRunParams,
        response: { 200: feedDone },
      },
    },
    async (request) => {
      const { id, runId } = request.params;
      await asPerson(request, async (change) => {
        const feed = await requireFeed(change, id);
        if (feed.status !== 'active') throw new HttpError(409, 'feed_paused', 'The feed is paused. Let it go on first.');
        await takeRun(feed.organization_id);
        const done = await runAgain(change.tx, feed.organization_id, feed.id, runId, clock());
        if (done === 'unknown') throw unknown();
        if (done === 'underWay') throw new HttpError(409, 'feed_run_under_way', 'It is being sent at this moment. Look again in a minute.');
      });
      feeds.wake();
      return { ...ok, msg: MESSAGES.feedRuns };
    },
  );

  app.get(
    '/api/console/export-feeds/:id/secret',
    { schema: { ...told('What the calls of a feed are signed with'), response: { 200: feedSecretAnswer } } },
    async (request) =>
      asPerson(request, async (change) => {
        const feed = await requireSigning(change, request.params.id);
        return { ...ok, secret: feedSigningOf(change.keys(), feed.id, feed.secret_epoch) };
      }),
  );

  app.post(
    '/api/console/export-feeds/:id/renew-secret',
    { schema: { ...told('Makes another secret; the one before signs nothing any more'), response: { 200: feedSecretRenewed } } },
    async (request) =>
      asPerson(request, async (change) => {
        const feed = await requireSigning(change, request.params.id);
        const { secret_epoch: epoch } = await change.tx
          .updateTable('export_feed')
          .set((set) => ({ secret_epoch: set('secret_epoch', '+', 1) }))
          .where('organization_id', '=', change.person.organizationId)
          .where('id', '=', feed.id)
          .returning('secret_epoch')
          .executeTakeFirstOrThrow();
        await insertChange(change.tx, change.person, {
          ...{ address: change.address, model: 'exportFeed', recordId: feed.id, recordName: feed.name, action: 'edit' as const },
          ...{ before: { secret: 'as it was' }, after: { secret: 'another one' }, rollsBack: null },
        });
        return { ...ok, secret: feedSigningOf(change.keys(), feed.id, epoch), msg: 'Calls are signed with the new secret from now on.' };
      }),
  );

  app.post(
    '/api/console/export-feeds/:id/test',
    {
      schema: {
        ...told(
          'Sends a file without a lead to where a feed goes, now, and says what came of it; an SFTP server’s key is pinned where none was',
        ),
        response: { 200: feedTrial },
      },
    },
    async (request) => {
      const { feed, keys, head } = await asPerson(request, async (change) => {
        const row = await requireFeed(change, request.params.id);
        await takeTest(change, row.destination);
        const fields = await listExportFields(change.tx, row.organization_id, row.vertical_id);
        return { feed: row, keys: change.keys(), head: openRowWriter(row.content, fields, change.keys(), row.send_changes).head };
      });
      const leave = trials.enter(feed.id);
      if (!leave) throw new HttpError(429, 'feed_test_under_way', 'A test is under way. Wait for what it says.', { retryAfterSeconds: 5 });
      let tried: Omit<FeedTrial, 'status' | 'pinned'>;
      try {
        tried = await tryDestination(ways, feed, keys, head, clock());
      } finally {
        leave();
      }
      const shown = tried.hostKey;
      const pinned =
        shown !== null &&
        feed.destination.kind === 'sftp' &&
        feed.destination.hostKey === null &&
        (await asPerson(request, (change) => pin(change, feed, shown)));
      return { ...ok, ...tried, pinned };
    },
  );
}

async function tryDestination(
  ways: Ways,
  feed: FeedRow,
  keys: OrganizationKeys,
  head: string,
  now: number,
): Promise<Omit<FeedTrial, 'status' | 'pinned'>> {
  const { destination, content } = feed;
  const name = `test.${content.format}`;
  const body = content.format === 'csv' ? CSV_MARK + head : '';
  switch (destination.kind) {
    case 'http': {
      const signing = feedSigningOf(keys, feed.id, feed.secret_epoch);
      const seconds = Math.floor(now / 1000);
      const file = { runId: newId(), name, format: content.format, rows: 0 };
      const headers = { ...fileHeaders(file, seconds, signatureOf(signing, seconds, body)), 'x-sluice-test': 'true' };
      const request = { method: 'POST', url: destination.url, headers, body };
      const { taken, failure, statusCode } = saidBy(
        await ways.outbound.call({ request, timeoutMs: TRY_TIME_MS, bulkhead: `feed ${feed.id}` }),
      );
      return { taken, said: taken ? `It answered with HTTP ${statusCode}.` : failure!, hostKey: null };
    }
    case 'sftp': {
      const secrets = feed.secrets ? openJson<FeedSecrets>(keys, FEED_SECRETS, feed.id, feed.secrets) : {};
      const { failure, hostKey } = await trySftp(ways, destination, secrets, newId().slice(-12));
      return { taken: failure === null, said: failure ?? 'It let us in, and took and gave back a file.', hostKey };
    }
    case 'mail': {
      for (const to of destination.to) {
        const { reply } = ways.mailer.send({
          ...{ to, copyTo: [], subject: `Test of the feed ${feed.name}` },
          text: 'This is a test. Files of leads will come to this address; this one holds none.',
          attachment: { name, content: body || '\n', contentType: CONTENT_TYPES[content.format] },
        });
        const said = await reply;
        if (said.kind === 'failure') return { taken: false, said: `No mail server took it (${said.detail}).`, hostKey: null };
        if (said.code < 200 || said.code > 299) return { taken: false, said: `The mail server said to ${to}: ${said.text}`, hostKey: null };
      }
      return { taken: true, said: 'The mail server took it. Look whether it came.', hostKey: null };
    }
  }
}

/** False where the feed goes elsewhere by now. */
async function pin({ tx, person, address }: Change, { id, destination: tried }: FeedRow, hostKey: string): Promise<boolean> {
  const feed = await requireFeed({ tx, person }, id);
  const { destination } = feed;
  if (destination.kind !== 'sftp' || tried.kind !== 'sftp') return false;
  if (destination.hostKey !== null || destination.host !== tried.host || destination.port !== tried.port) return false;
  await tx
    .updateTable('export_feed')
    .set((set) => ({ destination: JSON.stringify({ ...destination, hostKey }), version: set('version', '+', 1), updated_at: new Date() }))
    .where('organization_id', '=', feed.organization_id)
    .where('id', '=', id)
    .execute();
  await insertChange(tx, person, {
    ...{ address, model: 'exportFeed', recordId: id, recordName: feed.name, action: 'edit' as const, rollsBack: null },
    ...{ before: { destination }, after: { destination: { ...destination, hostKey } } },
  });
  return true;
}

export const viewRun = (run: RunRow): FeedRunView => ({
  _id: run.id,
  from: run.from_at.toISOString(),
  to: run.to_at.toISOString(),
  state: run.state as FeedRunView['state'],
  tries: run.tries,
  rows: run.row_count,
  bytes: run.byte_count,
  lastAt: run.last_at?.toISOString() ?? null,
  nextAt: run.state === 'due' ? run.due_at.toISOString() : null,
  elapsedMs: run.elapsed_ms,
  failure: run.failure,
  remark: run.remark,
});

export async function requireFeed({ tx, person }: Pick<Change, 'tx' | 'person'>, id: string): Promise<FeedRow> {
  const feed = await findFeed(tx, person.organizationId, id);
  if (!feed || feed.status === 'archived' || !mayOpenPageIn(person, EXPORT_PAGE, feed.vertical_id)) throw unknown();
  return feed;
}

const unknown = () => new HttpError(404, 'feed_unknown', 'There is no such feed or run, or it is not open to you.');
