/** Background jobs (console §2, `{id}/trackProcess`): started by a page, carried on by whichever node has time, watched by who may see what they do. */
import { z } from 'zod';
import { csvForm } from './csv.ts';
import { exportFileView } from './export.ts';
import { importKind } from './import.ts';

/** receiving: what it works on is still being handed in. */
export const jobStatus = z.enum(['receiving', 'waiting', 'running', 'done', 'failed', 'cancelled']);
export type JobStatus = z.infer<typeof jobStatus>;
export const isOver = (status: JobStatus): boolean => ['done', 'failed', 'cancelled'].includes(status);

/** The first errors are kept with their lines, the others counted. */
export const JOB_ERRORS_KEPT = 1000;
/** Bytes of one part of what is handed in; a file is sent in slices of this size. */
export const JOB_PART_BYTES = 512 * 1024;
export const JOB_PARTS_MOST = 600;
/** Of an organization: files that are being sent, those that are sent or wait to be read, and the bytes of all of them. */
export const HANDED_IN_NOW = 3;
export const HANDED_IN_FILES = 10;
export const HANDED_IN_BYTES = 1024 * 1024 * 1024;
/** An upload of which nothing comes for so long ends, and its bytes go. */
export const HANDED_IN_SILENT_MINUTES = 60;

export const jobView = z.object({
  _id: z.string(),
  kind: z.string(),
  status: jobStatus,
  name: z.string(),
  /** The record it fills, where it fills one. */
  subject: z.object({ _id: z.string(), name: z.string() }).nullable(),
  settings: z.record(z.string(), z.unknown()),
  startedBy: z.string(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** While a file is being sent, what is there of it. Of an export, the seconds of its span and how many of them it is through. */
  bytes: z.number(),
  bytesDone: z.number(),
  rowsDone: z.int(),
  /** What it did, by word: added, renewed, removed ... */
  tally: z.record(z.string(), z.int()),
  errorCount: z.int(),
  failure: z.string().nullable(),
  /** An import of the same list, of banks or of BIN ranges that was begun before it and is not over; null where it waits for none. */
  waitsFor: z.object({ _id: z.string(), name: z.string() }).nullable(),
  mayCancel: z.boolean(),
  /** What it made to download; null where it makes nothing. */
  file: exportFileView.nullable(),
});
export type JobView = z.infer<typeof jobView>;

export const jobParams = z.object({ id: z.string().max(60) });
export const jobPartParams = jobParams.extend({
  part: z.coerce
    .number()
    .int()
    .min(0)
    .max(JOB_PARTS_MOST - 1),
});
export const jobAnswer = z.object({
  status: z.literal(true),
  job: jobView,
  errors: z.array(z.object({ line: z.int(), message: z.string() })).describe('The first of them, by line.'),
});
/** A hidden form that asks for the lines of a job that could not be used. */
export const jobErrorsDownload = csvForm.extend({ jobId: z.string().max(60) });
export const jobsQuery = z.object({
  kind: z.string().max(60).optional(),
  subjectId: z.uuid().optional(),
  skip: z.coerce.number().int().min(0).max(100_000).default(0),
  limit: z.coerce.number().int().min(1).max(100).default(25),
});
/** A hidden form that asks for a history of imports or exports. */
export const jobsDownload = csvForm.extend({ kind: z.enum([...importKind.options, 'export']), subjectId: z.uuid().optional() });
export const jobsAnswer = z.object({ status: z.literal(true), jobs: z.array(jobView), total: z.int() });
export const jobGoBody = z.strictObject({ parts: z.int().min(1).max(JOB_PARTS_MOST) });
/** What is there of a file that is being handed in, to go on with: each part with the SHA-256 of its bytes, in hex. */
export const jobPartsAnswer = z.object({
  status: z.literal(true),
  parts: z.array(z.object({ part: z.int(), bytes: z.int(), sha256: z.string() })),
});
export type JobPartsAnswer = z.infer<typeof jobPartsAnswer>;
