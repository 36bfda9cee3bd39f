/** What a kind of background job must say of itself. A job is done in steps; each is one short transaction that also notes how far it came. */
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import type { Tx } from '#server/record/record-model.ts';
import type { SignedIn } from '#server/session/session.sql.ts';

export interface JobWork {
  organizationId: string;
  id: string;
  subjectId: string | null;
  personId: string;
  settings: unknown;
  /** As the step before left it; {} at first. */
  place: unknown;
  parts: number;
  /** By the steps before, wrong ones included; and how many of them were wrong. */
  rowsDone: number;
  errorCount: number;
  startedAt: Date;
  keys: OrganizationKeys;
  /** Undefined beyond the last. */
  readPart(part: number): Promise<Buffer | undefined>;
}

export interface JobStep {
  place: unknown;
  bytes: number;
  rows: number;
  /** Added to what earlier steps did. */
  tally: Record<string, number>;
  errors: { line: number; message: string }[];
  isDone: boolean;
  /** It ends here as failed, for a reason that a person can do something about: a sentence. Unlike with JobFailed, what the step did stands. */
  failure?: string;
}

export interface JobKind {
  kind: string;
  /** Who may see, start and cancel it. */
  may: (person: SignedIn) => boolean;
  /** Of one that is not everybody's who may: whether theirs is the one of this subject, and of which subjects theirs are; undefined for all. */
  maySubject?: (person: SignedIn, subjectId: string | null) => boolean;
  subjects?: (person: SignedIn) => string[] | undefined;
  /** Of one that goes over the verticals of its settings: those in which the person may; it must not reach beyond them. Undefined for all. */
  verticals?: (person: SignedIn) => string[] | undefined;
  /** What it was given is told to nobody. */
  isSilent?: true;
  /** Those of one subject are done one after the other, in the order in which they were begun; without a subject, all of an organization. */
  inTurn?: true;
  /** Nobody may cancel it. */
  mustEnd?: true;
  /** Throws JobFailed where going on is of no use. */
  step: (tx: Tx, work: JobWork) => Promise<JobStep>;
}

/** The job itself cannot go on, for a reason that a person can do something about: a sentence. */
export class JobFailed extends Error {
  override name = 'JobFailed';
}
