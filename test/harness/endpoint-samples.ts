/** A sample call of every endpoint of the product, with the ids of one organization, for tests that ask all of them as somebody. */
import { exportContent } from '#contract/export.ts';
import { insertJob } from '#server/job/job.sql.ts';
import { newId } from '#server/kit/ids.ts';
import type { TestNode } from './node.ts';
import { buildUser, buildWorld, LEAD, type World, type WorldSpec } from './world.ts';

export const OWN_PAGE = { 'x-requested-with': 'sluice' };
const T = '/api/v1/teamMgmt';
const PLACE = 'region=us&vertical=payday';
const SPAN_BODY = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };
const SPAN = new URLSearchParams(SPAN_BODY).toString();

/** Open to everybody, and why. */
export const PUBLIC: Record<string, string> = {
  'GET /healthz': 'says that the process runs',
  'GET /readyz': 'says that the database answers',
  'GET /metrics': 'counts only; in production METRICS_TOKEN is the authority',
  'GET /': 'the console’s page',
  'GET /*': 'the console’s page',
  'POST /team-login': 'signing in',
  'GET /admin/logout': 'signing out',
  [`GET ${T}/user/is-user-is-logged-in`]: 'answers that nobody is',
  'GET /ampl/message/toastr-notification': 'the wording of toasts, the same for everybody',
  'POST /help/sdk/more-data': 'help, the same for everybody; any page may ask (console §7)',
  'POST /help/sdk/tooltip/:id': 'help, the same for everybody; any page may ask (console §7)',
  'GET /api/console/demo': 'empty unless there is a demo world',
  [`POST ${T}/organization/check-domain-exist-status`]: 'asked before there is an account',
  [`POST ${T}/users/register`]: 'makes the account',
  [`POST ${T}/non-dp/users/register`]: 'the token is the authority',
  [`POST ${T}/team/member/name`]: 'the token is the authority',
  [`POST ${T}/team/member/accept-invitation`]: 'the token is the authority',
  [`POST ${T}/team/member/reject-invitation`]: 'the token is the authority',
  'GET /drawcard/*': 'the view of what is not there',
  'GET /drawcard/card/:id': 'a public page (account §6)',
  'GET /drawcard/card/:id/picture': 'a public page (account §6)',
  'GET /drawcard/card/:id/contact.vcf': 'a public page (account §6)',
  'GET /drawcard/card/:id/app.webmanifest': 'a public page (account §6)',
  'GET /drawcard/lander/:id': 'a public page (account §6)',
  'GET /api/v1/drawcard/card/1/:id': 'what the public page says',
  'GET /api/v1/drawcard/get-lander/:rolodexId': 'what the public page says',
  'POST /api/v1/drawcard/submit-lander': 'consumers send it',
  'POST /api/v1/landing-pages/:id/:event': 'the script of a landing page counts by it; answers the same for every page',
  'GET /r/:token': 'the token is the authority',
  'GET /posting-spec/:token': 'the token is the authority',
  'GET /posting-spec/:token/openapi.json': 'the token is the authority',
  'GET /api/eligibility/:token': 'the token is the authority',
  'POST /:token': 'the token is the authority (console §7, the eligibility checker)',
  'GET /mailbox': 'only in local and test installations without a mail server',
  'POST /api/v1/session/auto-login': 'the token is the authority',
  'POST /api/user/verify-mfa': 'the waiting session is the authority',
  'POST /api/user/validate-mfa': 'the waiting session is the authority',
  'POST /api/user/register/verify-mfa': 'the waiting session is the authority',
  [`POST ${T}/user/forgot-password`]: 'answers the same for every address',
  [`POST ${T}/user/reset-mfa`]: 'answers the same for every address',
  [`POST ${T}/user/reset-mfa/:token`]: 'the token is the authority',
  [`POST ${T}/user/reset-password/:token`]: 'the token is the authority',
  [`POST ${T}/team/register-member-data`]: 'the token is the authority',
  [`POST ${T}/team/register-member-activation`]: 'the token is the authority',
  [`POST ${T}/team/resend-activation-email`]: 'answers the same for every address',
};
/** The intake is opened by posting keys, returns and postbacks by keys of buyers; they have tests of their own; /docs and files hold nothing of anybody. */
export const ELSEWHERE =
  /^\w+ \/(docs|assets|help\/sluice-help\.js|landing\/sluice-page\.js|api\/v1\/(leads|pings|ping|posting|returns|postback|payments|suppression)|[^/]*\.(js|css|svg|html|txt|json|png|ico|webmanifest)(\.gz|\.br)?$)/;

/** A draft of a test of the world's campaign. */
async function insertTest(node: TestNode, { organizationId, campaignId }: World): Promise<string> {
  const id = newId();
  await node.db.insertInto('ab_test').values({ organization_id: organizationId, id, campaign_id: campaignId, name: 'Test' }).execute();
  return id;
}

/** A sample lead, a replay that is over and a link of the world's vertical. */
async function insertLab(node: TestNode, { organizationId, verticalId, campaignId, publisherTierId }: World, personId: string) {
  const [sampleId, replayId, linkId] = [newId(), newId(), newId()];
  const own = { organization_id: organizationId, vertical_id: verticalId };
  await node.db
    .insertInto('sample_lead')
    .values({ ...own, id: sampleId, name: 'Sample', fields: Buffer.alloc(1) })
    .execute();
  const trees = { settings: '{}', published: '[]', changed: '[]' };
  await node.db
    .insertInto('replay')
    .values({ ...own, id: replayId, campaign_id: campaignId, person_id: personId, status: 'cancelled', ...trees })
    .execute();
  const link = { name: 'Link', token_hash: Buffer.alloc(32), publisher_tier_ids: [publisherTierId], created_by: 'U' };
  await node.db
    .insertInto('eligibility_token')
    .values({ ...own, id: linkId, ...link, expires_at: new Date(Date.now() + 60_000) })
    .execute();
  return { sampleId, replayId, linkId };
}

export interface Sample {
  path?: string;
  body?: unknown;
  /** Sent as they are instead of a JSON body. */
  bytes?: string;
  /** What the same call with another organization's id answers; absent where the call names no id. */
  stranger?: number;
}

/** Each asked for as a report and as its file. */
const REPORTS = [
  ...['inbound', 'trending', 'outbound', 'bid-prices', 'performance', 'redirect', 'reason', 'time-outs', 'map', 'page-stats', 'payments'],
];

/** Two organizations: the samples name what the first has, `strangersOwner` is the owner of the other. */
export async function buildSamples(node: TestNode, spec: WorldSpec = {}) {
  const world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: 'http://127.0.0.1:9' }] }], ...spec });
  const other = await buildWorld(node.db);
  await Promise.all([node.planBook.reload(world.organizationId), node.planBook.reload(other.organizationId)]);
  const member = await buildUser(node.db, world.organizationId, { role: 'member' });
  const user = await buildUser(node.db, other.organizationId);
  await node.post('/team-login', { email: member.email, password: member.password }, OWN_PAGE);
  const answer = await node.post('/team-login', { email: user.email, password: user.password }, OWN_PAGE);
  const strangersOwner = answer.headers.get('set-cookie')!.split(';')[0]!;
  const { id: _id } = await node.db.selectFrom('team_member').select('id').where('user_id', '=', member.userId).executeTakeFirstOrThrow();
  const session = await node.db.selectFrom('session').select('id').where('user_id', '=', member.userId).executeTakeFirstOrThrow();
  const lead = (await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${world.key}` })).json.leadId as string;
  const { organizationId, regionId, verticalId } = world;
  const { buyerId, buyerTierId } = world.tiers[0]!;
  const job = await insertJob(node.db, organizationId, {
    kind: 'bankImport',
    name: 'x',
    subjectId: null,
    settings: IMPORT,
    personId: user.userId,
  });
  const permissions = [{ regionId, regionChecked: true, verticals: [] }];
  const variants = [
    { name: 'Control', sharePercent: 50 },
    { name: 'B', sharePercent: 50 },
  ];
  const testId = await insertTest(node, world);
  const { sampleId, replayId, linkId } = await insertLab(node, world, user.userId);
  const cardId = newId();
  await node.db.insertInto('card').values({ organization_id: organizationId, id: cardId, vertical_id: verticalId, name: 'Card' }).execute();
  const webhookId = newId();
  const hook = {
    organization_id: organizationId,
    id: webhookId,
    vertical_id: verticalId,
    name: 'Hook',
    url: 'http://127.0.0.1:9',
    events: ['lead.sold'],
  };
  await node.db.insertInto('webhook').values(hook).execute();
  const processorId = newId();
  const processor = { organization_id: organizationId, id: processorId, vertical_id: verticalId, name: 'Processor' };
  await node.db.insertInto('payment_processor').values(processor).execute();
  const viewId = newId();
  const view = { organization_id: organizationId, id: viewId, vertical_id: verticalId, page: 'inbound', user_id: member.userId };
  await node.db
    .insertInto('saved_view')
    .values({ ...view, user_name: 'M', name: 'View', search: '{}', shared: true })
    .execute();
  const feedId = newId();
  const exportFeed = {
    ...{
      organization_id: organizationId,
      id: feedId,
      vertical_id: verticalId,
      name: 'Feed',
      schedule: JSON.stringify({ every: 'hour', minute: 0 }),
    },
    content: JSON.stringify(exportContent.parse({ columns: ['leadId'] })),
    destination: JSON.stringify({ kind: 'http', url: 'http://127.0.0.1:9' }),
    covered_to: new Date(Date.now() - 3_600_000),
  };
  await node.db.insertInto('export_feed').values(exportFeed).execute();
  const feedRunId = newId();
  const feedRun = {
    organization_id: organizationId,
    id: feedRunId,
    feed_id: feedId,
    from_at: new Date(0),
    to_at: new Date(1),
    due_at: new Date(),
  };
  await node.db
    .insertInto('export_run')
    .values({ ...feedRun, state: 'failed' })
    .execute();
  const requestId = newId();
  const request = { organization_id: organizationId, id: requestId, buyer_id: buyerId, model: 'buyerTier', record_id: buyerTierId };
  await node.db
    .insertInto('change_request')
    .values({ ...request, record_name: 'Tier', before: '{}', after: '{}', asked_by: member.userId, asked_by_name: 'M' })
    .execute();
  const samples: Record<string, Sample> = {
    'GET /api/console/portal': {},
    'GET /api/console/portal/publisher/leads': {},
    'GET /api/console/portal/publisher/leads/:id': { path: `/api/console/portal/publisher/leads/${lead}`, stranger: 403 },
    'GET /api/console/portal/buyer/leads': {},
    'GET /api/console/portal/buyer/leads/:id/:sale': { path: `/api/console/portal/buyer/leads/${lead}/0`, stranger: 403 },
    'GET /api/console/portal/publisher/figures': { path: `/api/console/portal/publisher/figures?${SPAN}&rowsBefore=true&sort=-revenue` },
    'GET /api/console/portal/buyer/figures': { path: `/api/console/portal/buyer/figures?${SPAN}&rowsBefore=true&sort=-payout` },
    'GET /api/console/portal/returns': { path: `/api/console/portal/returns?${SPAN}` },
    'GET /api/console/portal/statement': { path: '/api/console/portal/statement?month=2026-11' },
    'GET /api/console/portal/posting-specs/:id': { path: `/api/console/portal/posting-specs/${world.publisherTierId}`, stranger: 403 },
    'GET /api/console/portal/posting-specs/:id/openapi.json': {
      path: `/api/console/portal/posting-specs/${world.publisherTierId}/openapi.json`,
      stranger: 403,
    },
    'POST /api/v1/download-file/portal-publisher-leads': { body: { isDownloadCSV: 'true' } },
    'POST /api/v1/download-file/portal-buyer-leads': { body: { isDownloadCSV: 'true' } },
    'POST /api/v1/download-file/portal-returns': { body: { isDownloadCSV: 'true', ...SPAN_BODY } },
    'POST /api/v1/download-file/portal-statement': { body: { isDownloadCSV: 'true', month: '2026-11' } },
    'POST /api/v1/download-file/portal-publisher-figures': { body: { isDownloadCSV: 'true', ...SPAN_BODY, rowsBefore: 'true' } },
    'POST /api/v1/download-file/portal-buyer-figures': { body: { isDownloadCSV: 'true', ...SPAN_BODY, rowsBefore: 'true' } },
    'GET /api/console/portal/requests': {},
    'POST /api/console/portal/requests': { body: { model: 'buyerTier', _id: buyerTierId, data: { status: 'paused' } }, stranger: 403 },
    'POST /api/console/portal/requests/:id/withdraw': { path: `/api/console/portal/requests/${lead}/withdraw`, body: {}, stranger: 403 },
    'POST /api/console/portal/returns': { body: { leadId: lead, saleIndex: 0, reason: 'Duplicate' }, stranger: 403 },
    'GET /api/console/change-requests': {},
    'GET /api/console/change-requests/count': {},
    'POST /api/console/change-requests/:id/approve': {
      path: `/api/console/change-requests/${requestId}/approve`,
      body: { version: 1 },
      stranger: 404,
    },
    'POST /api/console/change-requests/:id/decline': {
      path: `/api/console/change-requests/${requestId}/decline`,
      body: { answer: 'no' },
      stranger: 404,
    },
    'GET /api/console/ab-tests': { path: `/api/console/ab-tests?${PLACE}` },
    'POST /api/console/ab-tests': { body: { campaignId: world.campaignId, name: 'X', variants }, stranger: 404 },
    'GET /api/console/ab-tests/:id': { path: `/api/console/ab-tests/${testId}`, stranger: 404 },
    'POST /api/console/ab-tests/:id': { path: `/api/console/ab-tests/${testId}`, body: { name: 'X', variants, version: 1 }, stranger: 404 },
    'POST /api/console/ab-tests/:id/start': { path: `/api/console/ab-tests/${testId}/start`, body: { version: 1 }, stranger: 404 },
    'POST /api/console/ab-tests/:id/stop': { path: `/api/console/ab-tests/${testId}/stop`, body: { version: 1 }, stranger: 404 },
    'POST /api/console/ab-tests/:id/discard': { path: `/api/console/ab-tests/${testId}/discard`, body: { version: 1 }, stranger: 404 },
    'POST /api/console/ab-tests/:id/restore': { path: `/api/console/ab-tests/${testId}/restore`, body: { version: 1 }, stranger: 404 },
    'POST /api/console/ab-tests/:id/promote': {
      path: `/api/console/ab-tests/${testId}/promote`,
      body: { variantId: testId, version: 1, state: '' },
      stranger: 404,
    },
    'GET /api/console/lab': { path: `/api/console/lab?${PLACE}` },
    'GET /api/console/lab/campaigns/:id/tree': { path: `/api/console/lab/campaigns/${world.campaignId}/tree`, stranger: 404 },
    'GET /api/console/lab/past-leads/:id': { path: `/api/console/lab/past-leads/${lead}`, stranger: 404 },
    'POST /api/console/lab/send': {
      body: { publisherTierId: world.publisherTierId, fields: LEAD, buyers: 'simulated' },
      stranger: 404,
    },
    'POST /api/console/lab/samples': { body: { region: 'us', vertical: 'payday', name: 'X', fields: {} } },
    'POST /api/console/lab/samples/:id': {
      path: `/api/console/lab/samples/${sampleId}`,
      body: { name: 'X', fields: {}, version: 1 },
      stranger: 404,
    },
    'POST /api/console/lab/samples/:id/remove': {
      path: `/api/console/lab/samples/${sampleId}/remove`,
      body: { version: 1 },
      stranger: 404,
    },
    'GET /api/console/lab/replays': { path: `/api/console/lab/replays?${PLACE}` },
    'POST /api/console/lab/replays': {
      body: {
        ...{ campaignId: world.campaignId, change: { tree: 'published' } },
        ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
      },
      stranger: 404,
    },
    'GET /api/console/lab/replays/:id': { path: `/api/console/lab/replays/${replayId}`, stranger: 404 },
    'POST /api/console/lab/replays/:id/cancel': { path: `/api/console/lab/replays/${replayId}/cancel`, body: {}, stranger: 404 },
    'GET /api/console/lab/eligibility-links': { path: `/api/console/lab/eligibility-links?${PLACE}` },
    'POST /api/console/lab/eligibility-links': {
      body: { region: 'us', vertical: 'payday', name: 'X', publisherTierIds: [world.publisherTierId] },
      stranger: 404,
    },
    'POST /api/console/lab/eligibility-links/:id/revoke': {
      path: `/api/console/lab/eligibility-links/${linkId}/revoke`,
      body: {},
      stranger: 404,
    },
    'GET /api/console/promotions': { path: `/api/console/promotions?${PLACE}` },
    'GET /api/console/webhooks/:id/secret': { path: `/api/console/webhooks/${webhookId}/secret`, stranger: 404 },
    'POST /api/console/webhooks/:id/renew-secret': { path: `/api/console/webhooks/${webhookId}/renew-secret`, body: {}, stranger: 404 },
    'GET /api/console/webhooks/:id/calls': { path: `/api/console/webhooks/${webhookId}/calls`, stranger: 404 },
    'POST /api/console/webhooks/:id/calls/:callId/again': {
      path: `/api/console/webhooks/${webhookId}/calls/${webhookId}/again`,
      body: {},
      stranger: 404,
    },
    'GET /api/console/exports/columns': { path: '/api/console/exports/columns?region=us&vertical=payday' },
    'POST /api/console/exports': {
      body: {
        ...{ region: 'us', vertical: 'payday', from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
        content: { columns: ['leadId'] },
      },
    },
    'POST /api/v1/download-file/export': { body: { jobId: job, isDownloadCSV: 'true' }, stranger: 404 },
    'GET /api/console/export-feeds/:id/runs': { path: `/api/console/export-feeds/${feedId}/runs`, stranger: 404 },
    'GET /api/console/export-feeds/:id/secret': { path: `/api/console/export-feeds/${feedId}/secret`, stranger: 404 },
    'POST /api/console/export-feeds/:id/renew-secret': {
      path: `/api/console/export-feeds/${feedId}/renew-secret`,
      body: {},
      stranger: 404,
    },
    'POST /api/console/export-feeds/:id/run': { path: `/api/console/export-feeds/${feedId}/run`, body: {}, stranger: 404 },
    'POST /api/console/export-feeds/:id/runs/:runId/again': {
      path: `/api/console/export-feeds/${feedId}/runs/${feedRunId}/again`,
      body: {},
      stranger: 404,
    },
    'POST /api/console/export-feeds/:id/test': { path: `/api/console/export-feeds/${feedId}/test`, body: {}, stranger: 404 },
    'POST /api/console/webhooks/:id/test': { path: `/api/console/webhooks/${webhookId}/test`, body: {}, stranger: 404 },
    'GET /api/console/payments': { path: `/api/console/payments?${PLACE}&${SPAN}` },
    'GET /api/console/payment-processors/:id/address': { path: `/api/console/payment-processors/${processorId}/address`, stranger: 404 },
    'POST /api/console/payment-processors/:id/address/renew': {
      path: `/api/console/payment-processors/${processorId}/address/renew`,
      body: {},
      stranger: 404,
    },
    'GET /api/console/views': { path: `/api/console/views?${PLACE}&page=inbound` },
    'POST /api/console/views': { body: { region: 'us', vertical: 'payday', page: 'inbound', name: 'X', search: {} } },
    'POST /api/console/views/:id': { path: `/api/console/views/${viewId}`, body: { name: 'Y', version: 1 }, stranger: 404 },
    'POST /api/console/views/:id/default': { path: `/api/console/views/${viewId}/default`, body: { isDefault: true }, stranger: 404 },
    'POST /api/console/views/:id/remove': { path: `/api/console/views/${viewId}/remove`, body: {}, stranger: 404 },
    'POST /api/console/views/:id/restore': { path: `/api/console/views/${viewId}/restore`, body: {}, stranger: 404 },
    'POST /api/console/retention/preview': { body: { verticalId, unsoldDays: 90, soldDays: 730, wireDays: 30 }, stranger: 403 },
    'POST /api/v1/get-regions-and-verticals': { body: {} },
    'POST /api/reporting/change-root-vertical': { body: { regionId, verticalId }, stranger: 404 },
    'POST /api/reporting/get-Regions': { body: {} },
    'POST /api/reporting/get-verticals': { body: {} },
    'POST /api/v1/quick-view/get-actions': {
      body: { regionId, verticalId, regionSlug: 'us', verticalSlug: 'payday' },
      stranger: 404,
    },
    'GET /api/console/leads': { path: `/api/console/leads?${PLACE}` },
    'POST /api/console/data-requests/find': { body: { q: LEAD.email } },
    'POST /api/console/data-requests/export': { body: { q: lead, reason: 'asked for', format: 'json' }, stranger: 404 },
    'POST /api/v1/download-file/data-request': { body: { q: lead, reason: 'asked for', isDownloadCSV: 'true' }, stranger: 404 },
    'POST /api/console/data-requests/accept-again': { body: { q: LEAD.email, reason: 'asked for' }, stranger: 404 },
    'POST /api/console/data-requests/erase': { body: { q: lead, reason: 'asked for', confirm: 'ERASE' }, stranger: 404 },
    'GET /api/console/logs/attempts': { path: `/api/console/logs/attempts?${PLACE}` },
    'GET /api/console/logs/attempts/:id': { path: `/api/console/logs/attempts/${lead}-0`, stranger: 404 },
    'POST /api/console/logs/attempts/:id/unmask': {
      path: `/api/console/logs/attempts/${lead}-0/unmask`,
      body: { reason: 'because' },
      stranger: 404,
    },
    'GET /api/console/logs/calls': { path: `/api/console/logs/calls?${PLACE}` },
    'GET /api/console/logs/calls/:id': { path: `/api/console/logs/calls/${lead}`, stranger: 404 },
    'POST /api/console/logs/calls/:id/unmask': {
      path: `/api/console/logs/calls/${lead}/unmask`,
      body: { reason: 'because' },
      stranger: 404,
    },
    'POST /api/v1/download-file/attempt-log': { body: { region: 'us', vertical: 'payday', isDownloadCSV: 'true' } },
    'POST /api/v1/download-file/call-log': { body: { region: 'us', vertical: 'payday', isDownloadCSV: 'true' } },
    'POST /api/v1/download-file/leads': { body: { region: 'us', vertical: 'payday', isDownloadCSV: 'true' } },
    ...Object.fromEntries(
      Object.entries(genericCalls(organizationId, world)).map(([path, body]) => [
        `POST ${path}`,
        { body, ...(path.includes('order') ? {} : { stranger: 404 }) },
      ]),
    ),
    'POST /api/v1/common/get/condition-data': { body: { model: 'region' } },
    'POST /api/v1/common/get/unique-name': { body: { model: 'region', condition: { name: 'x' } } },
    'POST /api/v1/common/post-add-data': {
      body: { model: 'contact', firstName: 'A', buyerId: world.tiers[0]?.buyerId ?? world.publisherId },
      stranger: 404,
    },
    'POST /api/v1/download-file/home-buyers': { body: { isDownloadCSV: 'true' } },
    'POST /api/v1/download-file/home-publishers': { body: { isDownloadCSV: 'true' } },
    ...Object.fromEntries(
      REPORTS.map((name) => [
        `POST /api/v1/download-file/report-${name}`,
        { body: { region: 'us', vertical: 'payday', isDownloadCSV: 'true', from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' } },
      ]),
    ),
    'POST /api/v1/download-file/payments': {
      body: { region: 'us', vertical: 'payday', isDownloadCSV: 'true', from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
    },
    'POST /api/v1/download-file/report-compare': {
      body: {
        ...{ region: 'us', vertical: 'payday', isDownloadCSV: 'true', of: 'state', a: 'CA', b: 'NY' },
        ...{ from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
      },
    },
    'POST /api/v1/download-file/jobs': { body: { kind: 'export', isDownloadCSV: 'true' } },
    'POST /api/v1/download-file/feed-runs': { body: { feedId, isDownloadCSV: 'true' }, stranger: 404 },
    'POST /api/v1/download-file/webhook-calls': { body: { webhookId, isDownloadCSV: 'true' }, stranger: 404 },
    'POST /api/v1/download-file/change-log': { body: { isDownloadCSV: 'true' } },
    'POST /api/v1/download-file/security-log': { body: { isDownloadCSV: 'true' } },
    'POST /api/v1/download-file/records': { body: { listing: '{"model":"region"}', isDownloadCSV: 'true' } },
    'POST /api/console/endpoint/preview': {
      body: { verticalId: world.verticalId, endpoint: ENDPOINT, leg: 'post', lead: {} },
      stranger: 404,
    },
    'POST /api/console/service/try-check': {
      body: { verticalId: world.verticalId, check: { kind: 'email', field: 'email', disposable: [], whenEmpty: 'pass' }, lead: {} },
      stranger: 404,
    },
    'POST /api/console/endpoint/samples': { body: { endpoint: ENDPOINT, samples: [] } },
    'GET /api/console/leads/:id/attempts/:attempt/sample': { path: `/api/console/leads/${lead}/attempts/0/sample`, stranger: 404 },
    'POST /api/console/leads/:id/attempts/:attempt/sample': {
      path: `/api/console/leads/${lead}/attempts/0/sample`,
      body: { name: 'Kept', expected: { outcome: 'accepted' } },
      stranger: 404,
    },
    'POST /api/console/endpoint/read': { body: { endpoint: ENDPOINT, leg: 'post', body: 'x' } },
    'POST /api/console/endpoint/test-call': {
      body: { verticalId: world.verticalId, endpoint: ENDPOINT, leg: 'post', lead: {} },
      stranger: 404,
    },
    'GET /api/v1/configuration/export': {},
    'POST /api/v1/configuration/import': { body: { document: {} } },
    'GET /api/v1/change-log': {},
    'GET /api/v1/security-log': {},
    'GET /api/v1/security-log/choices': {},
    'GET /api/v1/change-log/choices': {},
    'POST /api/v1/change-log/roll-back': { body: { _id: regionId }, stranger: 404 },
    'GET /api/console/campaigns/:id/tree': { path: `/api/console/campaigns/${world.campaignId}/tree`, stranger: 404 },
    'GET /api/console/campaigns/:id/flow': { path: `/api/console/campaigns/${world.campaignId}/flow`, stranger: 404 },
    'GET /api/console/campaigns/:id/versions/:versionId': {
      path: `/api/console/campaigns/${world.campaignId}/versions/${regionId}`,
      stranger: 404,
    },
    'POST /api/console/buyer-tiers/:id/close-breaker': {
      path: `/api/console/buyer-tiers/${world.tiers[0]!.buyerTierId}/close-breaker`,
      body: {},
      stranger: 404,
    },
    'POST /api/console/buyer-tiers/:id/end-rest': {
      path: `/api/console/buyer-tiers/${world.tiers[0]!.buyerTierId}/end-rest`,
      body: {},
      stranger: 404,
    },
    'POST /api/console/campaigns/:id/draft': {
      path: `/api/console/campaigns/${world.campaignId}/draft`,
      body: { groups: [], state: 'x' },
      stranger: 404,
    },
    'POST /api/console/campaigns/:id/draft/discard': {
      path: `/api/console/campaigns/${world.campaignId}/draft/discard`,
      body: { state: 'x' },
      stranger: 404,
    },
    'POST /api/console/campaigns/:id/publish': {
      path: `/api/console/campaigns/${world.campaignId}/publish`,
      body: { state: 'x' },
      stranger: 404,
    },
    'POST /api/console/campaigns/:id/roll-back': {
      path: `/api/console/campaigns/${world.campaignId}/roll-back`,
      body: { versionId: regionId, state: 'x' },
      stranger: 404,
    },
    'GET /api/console/posting-specs': { path: `/api/console/posting-specs?${PLACE}` },
    'POST /api/console/posting-specs/:id': {
      path: `/api/console/posting-specs/${world.publisherTierId}`,
      body: { change: 'on' },
      stranger: 404,
    },
    'GET /api/console/publisher-tiers/:id/keys': { path: `/api/console/publisher-tiers/${world.publisherTierId}/keys`, stranger: 404 },
    'POST /api/console/publisher-tiers/:id/keys/new': {
      path: `/api/console/publisher-tiers/${world.publisherTierId}/keys/new`,
      body: {},
      stranger: 404,
    },
    'POST /api/console/posting-keys/:id/revoke': { path: `/api/console/posting-keys/${regionId}/revoke`, body: {}, stranger: 404 },
    'GET /api/console/buyers/:id/keys': { path: `/api/console/buyers/${buyerId}/keys`, stranger: 404 },
    'POST /api/console/buyers/:id/keys/new': { path: `/api/console/buyers/${buyerId}/keys/new`, body: {}, stranger: 404 },
    'POST /api/console/return-keys/:id/revoke': { path: `/api/console/return-keys/${regionId}/revoke`, body: {}, stranger: 404 },
    'POST /api/console/leads/:id/return': {
      path: `/api/console/leads/${lead}/return`,
      body: { saleIndex: 0, reason: 'Duplicate' },
      stranger: 404,
    },
    'POST /api/console/returns': {
      body: { region: 'us', vertical: 'payday', buyerId, text: `lead,reason\n${lead},Duplicate` },
    },
    'GET /api/console/settlements/open': { path: `/api/console/settlements/open?${PLACE}` },
    'POST /api/console/settlements/quote': { body: { leads: [{ leadId: lead, buyerTierId }] }, stranger: 404 },
    'POST /api/console/settlements': { body: { leads: [{ leadId: lead, buyerTierId, outcome: 'notBought' }] }, stranger: 404 },
    'GET /api/console/buyer-tiers/:id/postback': { path: `/api/console/buyer-tiers/${buyerTierId}/postback`, stranger: 404 },
    'POST /api/console/buyer-tiers/:id/postback/renew': {
      path: `/api/console/buyer-tiers/${buyerTierId}/postback/renew`,
      body: {},
      stranger: 404,
    },
    'GET /api/console/ledger/account': { path: `/api/console/ledger/account?partyKind=buyer&partyId=${buyerId}`, stranger: 404 },
    'POST /api/console/ledger/entries': {
      body: { partyKind: 'buyer', partyId: buyerId, kind: 'payment', amount: '1.00', note: 'x' },
      stranger: 404,
    },
    'GET /api/console/ledger/statement': {
      path: `/api/console/ledger/statement?partyKind=buyer&partyId=${buyerId}&month=2026-11`,
      stranger: 404,
    },
    'POST /api/v1/download-file/statement': {
      body: { partyKind: 'buyer', partyId: buyerId, month: '2026-11', isDownloadCSV: 'true' },
      stranger: 404,
    },
    'GET /api/console/leads/filters': { path: `/api/console/leads/filters?${PLACE}` },
    'GET /api/console/leads/choices': { path: `/api/console/leads/choices?${PLACE}&of=buyerTier` },
    'GET /api/console/leads/:id': { path: `/api/console/leads/${lead}`, stranger: 404 },
    'GET /api/console/leads/:leadId': { path: `/api/console/leads/${lead}`, stranger: 404 },
    'GET /api/console/home/buyers': {},
    'GET /api/console/home/feed': {},
    'GET /api/console/home/publishers': {},
    'POST /api/v1/download-file/overview-publishers': { body: { region: 'us', vertical: 'payday', isDownloadCSV: 'true' } },
    'POST /api/v1/download-file/overview-buyers': { body: { region: 'us', vertical: 'payday', isDownloadCSV: 'true' } },
    'GET /api/console/overview': { path: `/api/console/overview?${PLACE}&timeZone=UTC` },
    ...Object.fromEntries(
      REPORTS.map((name) => [
        `GET /api/console/reports/${name}`,
        { path: `/api/console/reports/${name}?${PLACE}&from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z` },
      ]),
    ),
    'GET /api/console/reports/compare': {
      path: `/api/console/reports/compare?${PLACE}&from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z&of=state&a=CA&b=NY`,
    },
    'GET /api/console/feed': { path: `/api/console/feed?${PLACE}` },
    'GET /api/console/help': {},
    'GET /api/console/installation-health': {},
    'GET /api/console/help/entry': { path: '/api/console/help/entry?kind=prompt&key=overview', stranger: 403 },
    'POST /api/console/help/save': {
      body: { entry: { kind: 'prompt', key: 'overview', tags: [], body: { text: 'x' } }, version: 0 },
      stranger: 403,
    },
    'POST /api/console/help/remove': { body: { kind: 'prompt', key: 'overview', version: 1 }, stranger: 403 },
    'POST /api/console/help/restore': { body: { kind: 'prompt', key: 'overview', version: 1, from: 1 }, stranger: 403 },
    'GET /api/v1/organization-keys': {},
    'POST /api/v1/organization-keys': { body: { name: 'x' } },
    'POST /api/v1/organization-keys/:id/revoke': { path: `/api/v1/organization-keys/${regionId}/revoke`, body: {}, stranger: 404 },
    'GET /api/v1/jobs': {},
    'GET /api/v1/jobs/:id': { path: `/api/v1/jobs/${job}`, stranger: 404 },
    'POST /api/v1/download-file/job-errors': { body: { jobId: job, isDownloadCSV: 'true' }, stranger: 404 },
    'GET /api/v1/jobs/:id/parts': { path: `/api/v1/jobs/${job}/parts`, stranger: 404 },
    'POST /api/v1/jobs/:id/parts/:part': { path: `/api/v1/jobs/${job}/parts/0`, bytes: 'x', stranger: 404 },
    'POST /api/v1/jobs/:id/go': { path: `/api/v1/jobs/${job}/go`, body: { parts: 1 }, stranger: 404 },
    'POST /api/v1/jobs/:id/cancel': { path: `/api/v1/jobs/${job}/cancel`, body: {}, stranger: 404 },
    'POST /api/v1/imports': {
      body: { kind: 'suppressionImport', listId: regionId, name: 'x', settings: IMPORT },
      stranger: 400,
    },
    'POST /api/v1/bin-lookup': { body: { bins: ['457173'], campaignId: world.campaignId }, stranger: 404 },
    'POST /api/v1/download-file/bin-lookup': {
      body: { bins: '457173', campaignId: world.campaignId, isDownloadCSV: 'true' },
      stranger: 404,
    },
    'POST /api/v1/bin-moves': { body: { search: '', move: 1, campaignId: world.campaignId }, stranger: 404 },
    'GET /api/console/bin-choices': { path: `/api/console/bin-choices?${PLACE}` },
    'GET /api/v1/session/list': {},
    'POST /api/v1/session/prove': { body: { password: 'x' } },
    'POST /api/v1/session/end': { body: { _id: session.id }, stranger: 404 },
    'POST /api/v1/session/choose-organization': { body: { orgId: organizationId }, stranger: 404 },
    'POST /api/v1/session/recovery-codes': { body: { MFA: '000000' } },
    [`POST ${T}/team/change-status`]: { body: {} },
    [`POST ${T}/user/change-password`]: { body: { currentPassword: 'x', password: 'blue-kettle-7', confirmPassword: 'blue-kettle-7' } },
    [`GET ${T}/team/members`]: {},
    [`POST ${T}/team/invite`]: { body: { email: 'z@example.com', first_name: 'Z', last_name: 'Z', permissions }, stranger: 404 },
    [`POST ${T}/team/resend-invitation`]: { body: { _id }, stranger: 404 },
    [`POST ${T}/team/delete-invitation`]: { body: { _id }, stranger: 404 },
    [`POST ${T}/team/edit-permissions`]: { body: { _id, permissions: [] }, stranger: 404 },
    [`POST ${T}/team/bind`]: { body: { _id, bound: null }, stranger: 404 },
    [`POST ${T}/team/disable`]: { body: { _id }, stranger: 404 },
    [`POST ${T}/team/enable`]: { body: { _id }, stranger: 404 },
    [`POST ${T}/team/remove`]: { body: { _id }, stranger: 404 },
    [`POST ${T}/team/hand-over-ownership`]: { body: { _id, password: user.password }, stranger: 404 },
    [`GET ${T}/monitor/online-users`]: {},
    [`POST ${T}/monitor/end-session`]: { body: { _id: session.id }, stranger: 404 },
    'POST /api/console/cards/:id/picture': { path: `/api/console/cards/${cardId}/picture`, body: {} },
    'POST /api/console/cards/:id/picture/remove': { path: `/api/console/cards/${cardId}/picture/remove`, body: {}, stranger: 404 },
    'GET /organization-logos/:kind': { path: '/organization-logos/light' },
    [`POST ${T}/organization/logo/:kind`]: { path: `${T}/organization/logo/light`, body: {} },
    [`POST ${T}/organization/logo/:kind/remove`]: { path: `${T}/organization/logo/light/remove`, body: {} },
    [`POST ${T}/common/get-data`]: { body: { model: 'region', _id: regionId }, stranger: 404 },
    [`POST ${T}/common/update`]: { body: { model: 'organization', _id: organizationId, data: { name: 'Taken' } }, stranger: 404 },
  };
  return { world, other, strangersOwner, samples };
}

const IMPORT = { mode: 'add', delimiter: ',', hasHeader: false, columns: { value: 0 } };

const ENDPOINT = {
  post: { url: 'https://buyer.example/', method: 'POST', body: { format: 'json', mapping: [] }, response: { outcomes: [] } },
};

/** Each names a record of the first organization. */
function genericCalls(companyId: string, { publisherId: _id, publisherTierId, regionId }: World): Record<string, unknown> {
  const publisher = { model: 'publisher', entityId: _id, entityKey: 'tiers' };
  return {
    '/api/v1/common/post-edit-data': { model: 'publisher', _id, notes: 'x' },
    '/api/v1/common/post-edit-data-with-condition': { model: 'publisher', condition: { _id }, data: { notes: 'x' } },
    '/api/v1/common/post-delete-data': { model: 'publisher', _id },
    '/api/v1/common/delete/condition-data': { model: 'publisher', condition: { _id } },
    '/api/v1/common/get-data': { model: 'region', companyId },
    '/api/v1/common/single-data': { model: 'region', condition: { _id: regionId } },
    '/api/v1/common/edit-key-data': { model: 'publisher', getCondition: { _id }, updateCondition: { notes: 'x' } },
    '/api/common/update-data': { model: 'publisher', entityId: _id, entityKey: 'notes', data: 'x' },
    '/api/common/update-child-data': { ...publisher, childEntityId: publisherTierId, name: 'x' },
    '/api/common/delete': { model: 'publisher', _id, entityKey: 'tiers', data: [publisherTierId] },
    '/api/common/add-data': {
      ...publisher,
      isChildInsert: true,
      name: 'x',
      campaignId: companyId,
      priceModel: { kind: 'share', sharePercent: 1 },
    },
    '/api/common/order-change': { model: 'field', data: [_id] },
  };
}

/** Every route of the running server, as `METHOD /path`. */
export function listRoutes(node: TestNode): string[] {
  const routes: string[] = [];
  const stack: string[] = [];
  for (const line of node.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const found = /^(.*?)(?:├──|└──) (\S*) \(([A-Z, ]+)\)/.exec(line) ?? /^(.*?)(?:├──|└──) (\S+)/.exec(line);
    if (!found) continue;
    const depth = found[1]!.length / 4;
    stack.length = depth;
    stack[depth] = found[2]!;
    for (const method of found[3]?.split(', ') ?? []) if (!['HEAD', 'OPTIONS'].includes(method)) routes.push(`${method} ${stack.join('')}`);
  }
  return [...new Set(routes)];
}

export const callSample = (node: TestNode, route: string, sample: Sample, cookie: string, headers: Record<string, string> = OWN_PAGE) => {
  const [method, path] = route.split(' ') as [string, string];
  const json =
    sample.bytes !== undefined
      ? { body: sample.bytes, headers: { 'content-type': 'application/octet-stream' } }
      : sample.body === undefined
        ? {}
        : { body: JSON.stringify(sample.body), headers: { 'content-type': 'application/json' } };
  return fetch(node.url + (sample.path ?? path), { method, ...json, headers: { ...headers, ...json.headers, cookie } });
};
