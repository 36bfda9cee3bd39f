/** Files of leads: made now, or by a feed at its times (data-mgmt/outbound; docs/feeds.md says what whoever gets them may rely on). */
import { z } from 'zod';
import { csvForm } from './csv.ts';
import { isEmail, plainEmail } from './email.ts';
import { reportingTimeZone } from './organization.ts';
import { LONGEST_SPAN_YEARS } from './report-limits.ts';
import { storable } from './storable.ts';
import { webhookUrl } from './webhook.ts';

export const exportFormat = z.enum(['csv', 'jsonl']);
export type ExportFormat = z.infer<typeof exportFormat>;
/** unsold: ended without a buyer, for whatever reason. all: held leads and such as are under way, too. */
export const exportOutcome = z.enum(['sold', 'unsold', 'all']);
export type ExportOutcome = z.infer<typeof exportOutcome>;

/** How long the bytes of a file are kept, in days. */
export const FILE_KEPT_DAYS = 7;
export const EXPORTS_AT_ONCE = 3;
export const COLUMNS_MOST = 150;

/** What a column may hold beside the vertical's own fields, which are called `field:` and their name. In the order in which they are offered. */
export const EXPORT_COLUMNS = {
  leadId: 'Lead id',
  receivedAt: 'Received',
  endedAt: 'Ended',
  status: 'Result',
  reason: 'Reason',
  publisher: 'Publisher',
  affiliateId: 'Affiliate id',
  publisherTier: 'Publisher tier',
  subId: 'Sub id',
  campaign: 'Campaign',
  buyer: 'Buyer',
  buyerTier: 'Buyer tier',
  price: 'Price',
  payout: 'Payout',
  margin: 'Margin',
  returnedPrice: 'Returned',
  returnedPayout: 'Returned payout',
  attempts: 'Attempts',
} as const;
export type ExportColumn = keyof typeof EXPORT_COLUMNS;
export const FIELD_COLUMN = 'field:';
export const FIRST_COLUMNS: readonly ExportColumn[] = ['leadId', 'receivedAt', 'status', 'publisher', 'subId', 'buyer', 'price', 'payout'];

const column = z
  .string()
  .max(80)
  .refine(
    (text) => Object.hasOwn(EXPORT_COLUMNS, text) || /^field:[A-Za-z_]\w{0,62}$/.test(text),
    'must be one of the columns that are offered',
  );
const id = z.uuid().nullable().default(null);

export const exportContent = z
  .strictObject({
    outcome: exportOutcome.default('all'),
    publisherId: id,
    publisherTierId: id,
    /** Leads that this buyer bought. */
    buyerId: id,
    buyerTierId: id,
    campaignId: id,
    columns: z
      .array(column)
      .min(1, 'must name at least one column')
      .max(COLUMNS_MOST)
      .refine((all) => new Set(all).size === all.length, 'must name each column once'),
    format: exportFormat.default('csv'),
    timeZone: reportingTimeZone.default('UTC'),
    /** Values of persons as they are; for who may see them so. */
    unmasked: z.boolean().default(false),
  })
  .refine(({ outcome, buyerId, buyerTierId }) => outcome !== 'unsold' || (!buyerId && !buyerTierId), {
    path: ['buyerId'],
    message: 'cannot be chosen for leads that nobody bought',
  });
export type ExportContent = z.infer<typeof exportContent>;

export const startExportBody = z.strictObject({
  region: z.string().max(60),
  vertical: z.string().max(60),
  from: z.iso.datetime({ offset: true }).describe('Included.'),
  to: z.iso.datetime({ offset: true }).describe(`The first instant after the span, which is at most ${LONGEST_SPAN_YEARS} years long.`),
  content: exportContent,
  /** Why values of persons are wanted as they are. */
  reason: storable(z.string().trim().max(200)).default(''),
});
export const startExportAnswer = z.object({ status: z.literal(true), jobId: z.string(), msg: z.string() });

export const exportColumnsQuery = z.object({ region: z.string().max(60), vertical: z.string().max(60) });
export const exportColumnsAnswer = z.object({
  status: z.literal(true),
  columns: z.array(z.object({ value: z.string(), label: z.string(), personal: z.boolean() })),
  mayUnmask: z.boolean(),
});
export type ExportColumnsAnswer = z.infer<typeof exportColumnsAnswer>;

export const exportFileForm = z.object({ jobId: z.string().max(60), isDownloadCSV: csvForm.shape.isDownloadCSV });

/** The file of a job. */
export const exportFileView = z.object({
  name: z.string(),
  bytes: z.number(),
  unmasked: z.boolean(),
  keptUntil: z.string(),
  /** Why there is nothing to download; null while there is. */
  gone: z.enum(['making', 'expired', 'erased']).nullable(),
  mayDownload: z.boolean(),
});
export type ExportFileView = z.infer<typeof exportFileView>;

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 06:30');
/** Weekday 0 is Monday. A month that has no such day takes its last. */
export const feedSchedule = z.discriminatedUnion('every', [
  z.strictObject({ every: z.literal('hour'), minute: z.int().min(0).max(59) }),
  z.strictObject({ every: z.literal('day'), at: clock, timeZone: reportingTimeZone }),
  z.strictObject({ every: z.literal('week'), weekday: z.int().min(0).max(6), at: clock, timeZone: reportingTimeZone }),
  z.strictObject({ every: z.literal('month'), day: z.int().min(1).max(31), at: clock, timeZone: reportingTimeZone }),
]);
export type FeedSchedule = z.infer<typeof feedSchedule>;

export const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;
const line = (most: number) =>
  storable(
    z
      .string()
      .trim()
      .min(1, 'is required')
      .max(most)
      .regex(/^\P{Cc}*$/u, 'must be one line'),
  );
export const MAIL_RECIPIENTS_MOST = 10;

export const feedDestination = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('http'), url: webhookUrl }),
  z.strictObject({
    kind: z.literal('sftp'),
    host: z
      .string()
      .trim()
      .toLowerCase()
      .max(253)
      .regex(
        /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|[0-9a-f:.]*:[0-9a-f:.]*)$/,
        'must be the name or address of a server, without sftp:// before it',
      ),
    port: z.int().min(1).max(65_535).default(22),
    user: line(120),
    /** The folder that files are put into. */
    folder: storable(
      z
        .string()
        .trim()
        .max(500)
        .regex(/^\P{Cc}*$/u, 'must be one line'),
    ).default(''),
    hostKey: z
      .string()
      .trim()
      .regex(FINGERPRINT, 'must be a fingerprint like SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDe…')
      .nullable()
      .default(null),
  }),
  z.strictObject({
    kind: z.literal('mail'),
    to: z
      .array(z.string().max(254).transform(plainEmail).refine(isEmail, 'must be e-mail addresses'))
      .min(1, 'must have at least one address')
      .max(MAIL_RECIPIENTS_MOST)
      .refine((all) => new Set(all).size === all.length, 'must name each address once'),
  }),
]);
export type FeedDestination = z.infer<typeof feedDestination>;

/** Written one by one; null takes one away. Never told. */
export const feedSecrets = z.strictObject({
  password: z.string().min(1).max(1000).nullable().optional(),
  privateKey: z
    .string()
    .max(20_000)
    .refine((text) => text.includes('PRIVATE KEY'), 'must be a private key, as its file holds it')
    .nullable()
    .optional(),
  passphrase: z.string().min(1).max(1000).nullable().optional(),
});

/** More than that is not sent so, in bytes. */
export const FILE_MOST: Readonly<Record<FeedDestination['kind'], number>> = {
  http: 64 * 1024 * 1024,
  sftp: 4 * 1024 * 1024 * 1024,
  mail: 10 * 1024 * 1024,
};

export const feedParams = z.object({ id: z.uuid() });
export const feedRunParams = feedParams.extend({ runId: z.uuid() });
export const feedRunsQuery = z.object({ before: z.uuid().optional() });
/** A hidden form that asks for all runs of a feed. */
export const feedRunsDownload = csvForm.extend({ feedId: z.uuid() });
export const FEED_RUNS_SHOWN = 50;
export const feedRun = z.object({
  _id: z.string(),
  /** The leads that came in [from, to). */
  from: z.string(),
  to: z.string(),
  /** due: it is made, or tried (again). empty: there was nothing to send, and it was not sent. failed: it is tried no more. */
  state: z.enum(['due', 'sent', 'empty', 'failed']),
  tries: z.int(),
  rows: z.int(),
  bytes: z.number(),
  lastAt: z.string().nullable(),
  nextAt: z.string().nullable(),
  elapsedMs: z.number().nullable(),
  failure: z.string().nullable(),
  remark: z.string().nullable(),
});
export type FeedRunView = z.infer<typeof feedRun>;
export const feedRunsAnswer = z.object({ status: z.literal(true), runs: z.array(feedRun), older: z.string().nullable() });
export type FeedRunsAnswer = z.infer<typeof feedRunsAnswer>;
export const feedDone = z.object({ status: z.literal(true), msg: z.string() });
export const feedSecretAnswer = z.object({ status: z.literal(true), secret: z.string() });
/** `msg` says what holds from now on. */
export const feedSecretRenewed = feedSecretAnswer.extend({ msg: z.string() });

export const feedTrial = z.object({
  status: z.literal(true),
  taken: z.boolean(),
  /** In words, whatever came of it. */
  said: z.string(),
  /** Of an SFTP server: the key it showed, pinned where none was. */
  hostKey: z.string().nullable(),
  pinned: z.boolean(),
});
export type FeedTrial = z.infer<typeof feedTrial>;
