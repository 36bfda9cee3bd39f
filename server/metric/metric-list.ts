/**
 * Every figure of /metrics: what it counts, by which labels, and what to do about it. The registry is made of this list, docs/operate/monitoring.md is
 * drawn from it, and test/walls/monitoring.test.ts holds the dashboard and the alert rules to it.
 *
 * Labels are words of ours from short lists. Nothing that grows with organizations, tiers or leads is ever one.
 */
export const STAGES = [
  'Intake',
  'Deciding and storing',
  'Buyers and services',
  'Notices, mail, webhooks and files',
  'Held and pending sales',
  'Reports, keeping and clearing away',
  'People and pages',
  'Database',
  'Node',
] as const;
export type Stage = (typeof STAGES)[number];

export interface MetricEntry {
  kind: 'counter' | 'gauge' | 'histogram';
  stage: Stage;
  /** In one sentence. */
  help: string;
  labels: readonly string[];
  /** What to do about it, where something is to be done. */
  act?: string;
  /** Upper bounds of a histogram, in its unit. */
  buckets?: readonly number[];
}

/** From a part of a millisecond to ten seconds: our own time. */
const OWN = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;
/** From some milliseconds to the longest time limit: time of others. */
const OTHERS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120] as const;

export const METRICS = {
  sluice_intake_answers_total: {
    ...{ kind: 'counter', stage: 'Intake', labels: ['mode', 'format', 'code'] },
    help: 'Answers to publishers: by mode (full, ping, post; status: asked after a lead), format of the body and code of the answer.',
    act: 'Codes are explained in docs/posting.md. A code that surges for one publisher alone is theirs to mend; store_unavailable, answer_delayed and lead_error are yours.',
  },
  sluice_intake_answer_seconds: {
    ...{ kind: 'histogram', stage: 'Intake', labels: ['mode'], buckets: OTHERS },
    help: 'Time from a call of a publisher to its answer, buyers included.',
    act: 'Look beside it at own time and at buyers: one of them grew.',
  },
  sluice_intake_under_way: {
    ...{ kind: 'gauge', stage: 'Intake', labels: [] },
    help: 'Calls of publishers that are being worked on by this node.',
    act: 'Near the limit: buyers are slow, or add a node.',
  },
  sluice_intake_limit: {
    ...{ kind: 'gauge', stage: 'Intake', labels: [] },
    help: 'Calls that this node works on at once (MAX_IN_FLIGHT); the next is told to come back.',
  },
  sluice_intake_repeats_total: {
    ...{ kind: 'counter', stage: 'Intake', labels: ['found'] },
    help: 'Calls that are an earlier one again: found under way on this node (joined), or in the database (stored).',
    act: 'A surge is a publisher that repeats without waiting for its answer.',
  },
  sluice_intake_fingerprints_under_way: {
    ...{ kind: 'gauge', stage: 'Intake', labels: [] },
    help: 'Different leads under way on this node, by which equal calls are recognized.',
  },
  sluice_refusals_total: {
    ...{ kind: 'counter', stage: 'Intake', labels: ['status', 'code'] },
    help: 'Answers 429 and 503 of any call, by code: what was refused because there was too much of it, or because something was away. And 409 of what is kept and cannot be opened.',
    act: 'node_busy: add a node or raise MAX_IN_FLIGHT. organization_busy, organization_rate_limited: one organization sends more than its share. store_unavailable: look at the database. session_rate_limited: somebody guesses passwords. lead_unreadable, settlement_unreadable, kept_unreadable: rows were damaged, or SECRET_KEY is not the one they were sealed with.',
  },

  sluice_leads_total: {
    ...{ kind: 'counter', stage: 'Deciding and storing', labels: ['status'] },
    help: 'Leads that ended, by status.',
    act: 'error grows: look into the log of the node. Nothing ends for a while: look at intake.',
  },
  sluice_lead_own_seconds: {
    ...{ kind: 'histogram', stage: 'Deciding and storing', labels: [], buckets: OWN },
    help: 'Our own time for a lead: all but what was waited for buyers and services.',
    act: 'Where it is the store, look at the database; else at the event loop.',
  },
  sluice_lead_store_seconds: {
    ...{ kind: 'histogram', stage: 'Deciding and storing', labels: [], buckets: OWN },
    help: 'Time that a lead waited for the database in all.',
    act: 'Look at the disk of the database, at its longest transaction, and at waiting work of the store.',
  },
  sluice_lead_others_seconds: {
    ...{ kind: 'histogram', stage: 'Deciding and storing', labels: [], buckets: OTHERS },
    help: 'Time that a lead waited for buyers and services.',
  },
  sluice_facts_seconds: {
    ...{ kind: 'histogram', stage: 'Deciding and storing', labels: ['outcome'], buckets: OWN },
    help: 'Time to look a lead up in lists, banks and BIN ranges, where its rules ask for it.',
  },
  sluice_store_batches_total: {
    ...{ kind: 'counter', stage: 'Deciding and storing', labels: ['outcome'] },
    help: 'Transactions of the lead store: stored, failed, or ended: of a lead that another node had ended meanwhile, since this one was taken for dead.',
    act: 'failed: the database was away or refused; leads were answered 503.',
  },
  sluice_store_works_total: {
    ...{ kind: 'counter', stage: 'Deciding and storing', labels: [] },
    help: 'Pieces of work that those transactions carried; divided by batches it is how well they are gathered.',
  },
  sluice_store_batch_seconds: {
    ...{ kind: 'histogram', stage: 'Deciding and storing', labels: [], buckets: OWN },
    help: 'Time of one transaction of the lead store.',
    act: 'It is a commit on the disk of the database: a faster disk makes every lead faster.',
  },
  sluice_store_waiting: {
    ...{ kind: 'gauge', stage: 'Deciding and storing', labels: [] },
    help: 'Pieces of work that wait for a writer of the lead store.',
    act: 'It stays high: the database takes less than comes in.',
  },

  sluice_buyer_calls_total: {
    ...{ kind: 'counter', stage: 'Buyers and services', labels: ['leg', 'outcome'] },
    help: 'Calls to buyers, by leg (ping, post) and outcome.',
    act: 'Errors or time-outs surge: the overview of the organization names the buyer.',
  },
  sluice_buyer_call_seconds: {
    ...{ kind: 'histogram', stage: 'Buyers and services', labels: ['leg'], buckets: OTHERS },
    help: 'Time of calls to buyers, by leg.',
  },
  sluice_service_calls_total: {
    ...{ kind: 'counter', stage: 'Buyers and services', labels: ['kind', 'outcome'] },
    help: 'Questions to third-party services (called) and checks of our own (ready-made), by outcome.',
    act: 'Errors or time-outs surge: a service is away; the rule of each tier says what happens meanwhile.',
  },
  sluice_service_call_seconds: {
    ...{ kind: 'histogram', stage: 'Buyers and services', labels: [], buckets: OTHERS },
    help: 'Time of calls to third-party services.',
  },
  sluice_outbound_calls_total: {
    ...{ kind: 'counter', stage: 'Buyers and services', labels: ['result'] },
    help: 'All calls that left through the one safe client, by result on the wire.',
    act: 'connect or tls: name, firewall or certificate. too-busy: raise BUYER_CONCURRENCY or find the slow buyer. refused-address: OUTBOUND_ALLOW.',
  },
  sluice_outbound_under_way: {
    ...{ kind: 'gauge', stage: 'Buyers and services', labels: [] },
    help: 'Calls to the outside that are under way.',
  },
  sluice_outbound_limit: {
    ...{ kind: 'gauge', stage: 'Buyers and services', labels: [] },
    help: 'Calls to one buyer that may be under way at once (BUYER_CONCURRENCY).',
  },
  sluice_late_answers_total: {
    ...{ kind: 'counter', stage: 'Buyers and services', labels: ['outcome'] },
    help: 'Answers of buyers that came after their time limit.',
    act: 'accepted: the buyer thinks that it has bought. Raise the time limit of its tier, or settle with it.',
  },
  sluice_breakers_opened_total: {
    ...{ kind: 'counter', stage: 'Buyers and services', labels: [] },
    help: 'Breakers that this node saw open.',
    act: 'The organization is told by mail; nothing to do unless many open together: then it is your network.',
  },
  sluice_breakers_open: {
    ...{ kind: 'gauge', stage: 'Buyers and services', labels: [] },
    help: 'Buyer tiers whose breaker is open now, of all organizations.',
  },
  sluice_tiers_throttled: {
    ...{ kind: 'gauge', stage: 'Buyers and services', labels: [] },
    help: 'Buyer tiers that get only a share of their leads because they are unwell.',
  },
  sluice_tiers_resting: {
    ...{ kind: 'gauge', stage: 'Buyers and services', labels: [] },
    help: 'Buyer tiers that asked to be left alone for a while.',
  },

  sluice_notices_total: {
    ...{ kind: 'counter', stage: 'Notices, mail, webhooks and files', labels: ['outcome'] },
    help: 'Notices to buyers that were outbid, by outcome.',
  },
  sluice_notices_waiting: {
    ...{ kind: 'gauge', stage: 'Notices, mail, webhooks and files', labels: [] },
    help: 'Notices to buyers that wait on this node.',
  },
  sluice_mails_total: {
    ...{ kind: 'counter', stage: 'Notices, mail, webhooks and files', labels: ['outcome'] },
    help: 'Tries to send a filed mail: sent, postponed (tried again later), or given up.',
    act: 'postponed or given up: look at the mail server, at SMTP_URL, and whether this machine may reach it.',
  },
  sluice_mails_waiting: {
    ...{ kind: 'gauge', stage: 'Notices, mail, webhooks and files', labels: [] },
    help: 'Mails that wait to be sent; 10000 means that many or more. Without a mail server none wait.',
    act: 'Look at the mail server.',
  },
  sluice_mails_oldest_seconds: {
    ...{ kind: 'gauge', stage: 'Notices, mail, webhooks and files', labels: [] },
    help: 'Age of the oldest mail that waits.',
    act: 'Over a quarter of an hour: people wait for links to sign in by. Look at the mail server.',
  },
  sluice_webhook_calls_total: {
    ...{ kind: 'counter', stage: 'Notices, mail, webhooks and files', labels: ['outcome'] },
    help: 'Tries to tell a webhook: taken, refused (tried again later), or failed for good.',
  },
  sluice_webhook_calls_waiting: {
    ...{ kind: 'gauge', stage: 'Notices, mail, webhooks and files', labels: [] },
    help: 'Calls that active webhooks have yet to be told; 10000 means that many or more.',
  },
  sluice_webhook_calls_overdue_seconds: {
    ...{ kind: 'gauge', stage: 'Notices, mail, webhooks and files', labels: [] },
    help: 'How long the call that is due longest has been due, of webhooks that take what they are told.',
    act: 'Minutes: the senders do not keep up. Look for errors in the log, or add a node.',
  },
  sluice_webhooks_failing: {
    ...{ kind: 'gauge', stage: 'Notices, mail, webhooks and files', labels: [] },
    help: 'Active webhooks that have taken nothing for an hour or more.',
    act: 'Tell their organizations; they are paused after five days.',
  },
  sluice_jobs_total: {
    ...{ kind: 'counter', stage: 'Notices, mail, webhooks and files', labels: ['kind', 'outcome'] },
    help: 'Background jobs that this node ended, by kind: done, or failed.',
  },
  sluice_jobs_waiting: {
    ...{ kind: 'gauge', stage: 'Notices, mail, webhooks and files', labels: ['state'] },
    help: 'Background jobs and replays that are open: waiting, running, or stuck (begun, and nobody works on them).',
    act: 'stuck: look into the log; a node takes them up when it can.',
  },
  sluice_jobs_oldest_seconds: {
    ...{ kind: 'gauge', stage: 'Notices, mail, webhooks and files', labels: [] },
    help: 'Age of the oldest background job that waits for its turn.',
  },
  sluice_feed_runs_total: {
    ...{ kind: 'counter', stage: 'Notices, mail, webhooks and files', labels: ['outcome'] },
    help: 'Tries to send a file of a feed: sent, empty, postponed (tried again later), or failed.',
  },
  sluice_feed_runs_waiting: {
    ...{ kind: 'gauge', stage: 'Notices, mail, webhooks and files', labels: [] },
    help: 'Files of active feeds that are due now.',
  },
  sluice_feed_runs_overdue_seconds: {
    ...{ kind: 'gauge', stage: 'Notices, mail, webhooks and files', labels: [] },
    help: 'How long the file that is due longest has been due.',
    act: 'An hour: look into the log; the warnings of the organization say which feed it is.',
  },

  sluice_leads_unknown: {
    ...{ kind: 'gauge', stage: 'Held and pending sales', labels: [] },
    help: 'Leads held because nobody knows whether a buyer has them; 5000 means that many or more.',
    act: 'They grow after a crash or a time-out. Their organizations settle them under "To settle".',
  },
  sluice_leads_unknown_oldest_seconds: {
    ...{ kind: 'gauge', stage: 'Held and pending sales', labels: [] },
    help: 'Age of the oldest lead that is held.',
    act: 'Over a week: remind its organization. Until it is settled its caps stay taken.',
  },
  sluice_sales_pending: {
    ...{ kind: 'gauge', stage: 'Held and pending sales', labels: [] },
    help: 'Of the leads held: those whose buyer said that it decides later.',
  },
  sluice_leads_interrupted_total: {
    ...{ kind: 'counter', stage: 'Held and pending sales', labels: [] },
    help: 'Leads of nodes that died, which this node finished as interrupted.',
    act: 'Find out why a node died.',
  },

  sluice_report_counts_waiting: {
    ...{ kind: 'gauge', stage: 'Reports, keeping and clearing away', labels: [] },
    help: 'Counts for reports, each of one hour of one organization, that are yet to be made; 10000 means that many or more.',
    act: 'Reports stay right, and get slower.',
  },
  sluice_report_oldest_seconds: {
    ...{ kind: 'gauge', stage: 'Reports, keeping and clearing away', labels: [] },
    help: 'How long the hour that waits longest has been waiting to be counted.',
    act: 'Over ten minutes: look for errors of the roller in the log.',
  },
  sluice_report_rolls_total: {
    ...{ kind: 'counter', stage: 'Reports, keeping and clearing away', labels: ['outcome'] },
    help: 'Rounds of the roller of reports on this node: done, failed, or left to another node.',
  },
  sluice_report_counts_total: {
    ...{ kind: 'counter', stage: 'Reports, keeping and clearing away', labels: [] },
    help: 'Counts for reports, each of one hour of one organization, that this node made.',
  },
  sluice_sweeps_total: {
    ...{ kind: 'counter', stage: 'Reports, keeping and clearing away', labels: ['outcome'] },
    help: 'Rounds of the sweeper on this node: done, failed, or left to another node.',
    act: 'failed: look into the log; nothing is lost, and tables grow.',
  },
  sluice_swept_rows_total: {
    ...{ kind: 'counter', stage: 'Reports, keeping and clearing away', labels: [] },
    help: 'Rows whose time was over that this node took away.',
  },
  sluice_retention_leads_total: {
    ...{ kind: 'counter', stage: 'Reports, keeping and clearing away', labels: [] },
    help: 'Leads that rules of retention took something out of, on this node.',
  },
  sluice_retention_oldest_seconds: {
    ...{ kind: 'gauge', stage: 'Reports, keeping and clearing away', labels: [] },
    help: 'How long ago the rule of retention that waits longest was last applied.',
    act: 'Over an hour: persons stay longer than promised. Look for errors of the sweeper in the log.',
  },
  sluice_partition_months_ahead: {
    ...{ kind: 'gauge', stage: 'Reports, keeping and clearing away', labels: [] },
    help: 'Months after this one for which every table has room; -1 when this month itself has none.',
    act: 'Below 1: restart a node, it makes them; below 0 no lead can be stored.',
  },

  sluice_http_requests_total: {
    ...{ kind: 'counter', stage: 'People and pages', labels: ['area', 'status'] },
    help: 'Requests that were answered, by area of the product and class of the HTTP code.',
    act: '5xx: look into the log of the node.',
  },
  sluice_http_request_seconds: {
    ...{ kind: 'histogram', stage: 'People and pages', labels: ['area'], buckets: OTHERS },
    help: 'Time from a request to its answer, by area of the product.',
  },
  sluice_sign_ins_total: {
    ...{ kind: 'counter', stage: 'People and pages', labels: ['step', 'outcome'] },
    help: 'Steps of signing in (password, code, link) and fresh proofs of it (proof), by outcome: done, or the code of the refusal.',
    act: 'Refusals surge: somebody guesses. Limits hold them off; look where they come from, under “Sign-ins and refusals”.',
  },
  sluice_log_lines_lost_total: {
    ...{ kind: 'counter', stage: 'People and pages', labels: ['log'] },
    help: 'Lines that were not kept, for want of room or of a database, of sign-ins and refusals (security) and of calls that made no lead (calls).',
    act: 'security: somebody floods the sign-in from very many networks, or the database is away; the log of the node and `sluice_sign_ins_total` tell which. Block the networks at your proxy.',
  },
  sluice_sessions_active: {
    ...{ kind: 'gauge', stage: 'People and pages', labels: [] },
    help: 'Sessions seen within the last five minutes.',
  },

  sluice_database_up: {
    ...{ kind: 'gauge', stage: 'Database', labels: [] },
    help: '1 when the database answered the last time it was asked for these figures, else 0.',
    act: 'No lead is taken while it is away. See to PostgreSQL; nodes come back by themselves.',
  },
  sluice_database_read_seconds: {
    ...{ kind: 'gauge', stage: 'Database', labels: [] },
    help: 'Time of the one query that reads the figures of the database, at most each 15 s.',
  },
  sluice_database_bytes: {
    ...{ kind: 'gauge', stage: 'Database', labels: [] },
    help: 'Size of the database.',
    act: 'Compare with the room on its disk; shorten what is kept (retention).',
  },
  sluice_database_connections: {
    ...{ kind: 'gauge', stage: 'Database', labels: ['state'] },
    help: 'Connections to the server of the database: active, idle, waiting within a transaction (idle-in-transaction), and the most that it allows (limit).',
    act: 'Near the limit: raise max_connections or lower DATABASE_POOL.',
  },
  sluice_database_longest_transaction_seconds: {
    ...{ kind: 'gauge', stage: 'Database', labels: [] },
    help: 'Age of the longest transaction of this database.',
    act: 'Over an hour: end it. It keeps what was deleted, and makes everything slower.',
  },
  sluice_database_replica_behind_seconds: {
    ...{ kind: 'gauge', stage: 'Database', labels: [] },
    help: 'How far the replica is behind; absent without one, and while it is away.',
    act: 'Over 30 s reports are read from the database itself.',
  },
  sluice_pool_connections: {
    ...{ kind: 'gauge', stage: 'Database', labels: ['pool', 'state'] },
    help: 'Connections of this node, by pool: in use, and idle.',
  },
  sluice_pool_limit: {
    ...{ kind: 'gauge', stage: 'Database', labels: ['pool'] },
    help: 'Connections that a pool of this node opens at most.',
  },
  sluice_pool_waiting: {
    ...{ kind: 'gauge', stage: 'Database', labels: ['pool'] },
    help: 'Who waits for a connection of a pool of this node.',
    act: 'It stays above 0: raise DATABASE_POOL, or find the slow query.',
  },

  sluice_build_info: {
    ...{ kind: 'gauge', stage: 'Node', labels: ['version'] },
    help: 'Always 1; its label is the version of this node.',
    act: 'Two versions for longer than an upgrade takes: a node was forgotten.',
  },
  sluice_node_ready: {
    ...{ kind: 'gauge', stage: 'Node', labels: [] },
    help: '1 while this node takes requests, 0 while it leaves.',
  },
  sluice_nodes_living: {
    ...{ kind: 'gauge', stage: 'Node', labels: [] },
    help: 'Nodes whose heartbeat is younger than 10 s.',
    act: 'Fewer than you started: one is down or cannot reach the database.',
  },
  sluice_nodes_dead: {
    ...{ kind: 'gauge', stage: 'Node', labels: [] },
    help: 'Nodes that stopped without leaving, and whose leads are not finished yet.',
    act: 'For over a minute: look at the log of a living node, which should finish them within seconds.',
  },
  sluice_heartbeats_total: {
    ...{ kind: 'counter', stage: 'Node', labels: ['outcome'] },
    help: 'Heartbeats of this node: written, or failed.',
  },
  sluice_background_errors_total: {
    ...{ kind: 'counter', stage: 'Node', labels: ['worker'] },
    help: 'Failures of what works beside the leads, by worker.',
    act: 'The log has each with its trace ("background work failed").',
  },
  sluice_disk_free_bytes: {
    ...{ kind: 'gauge', stage: 'Node', labels: [] },
    help: 'Room at DATA_DIR of this node, where the embedded database lives; absent where there is no such folder.',
    act: 'Below 5 GiB: make room. With a database of your own, watch its disk by its own means.',
  },
  sluice_trace_spans_total: {
    ...{ kind: 'counter', stage: 'Node', labels: ['outcome'] },
    help: 'Spans of traces: sent, dropped because too many waited, or lost because the collector did not take them.',
    act: 'dropped or lost: look at the collector, or lower OTEL_TRACES_SAMPLER_ARG. No lead waits for it.',
  },
  sluice_trace_spans_waiting: {
    ...{ kind: 'gauge', stage: 'Node', labels: [] },
    help: 'Spans that wait to be sent to the collector; never more than 8192.',
  },
} as const satisfies Record<string, MetricEntry>;

export type MetricName = keyof typeof METRICS;
type OfKind<Kind> = { [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never }[MetricName];
export type CounterName = OfKind<'counter'>;
export type GaugeName = OfKind<'gauge'>;
export type HistogramName = OfKind<'histogram'>;
export type LabelsOf<Name extends MetricName> = Record<(typeof METRICS)[Name]['labels'][number], string>;
