/** Which jobs a person may see, of those that are asked for. */
import { HttpError } from '#server/kit/http-error.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import type { JobListing } from './job.sql.ts';
import { JOB_KINDS } from './job-kinds.ts';

/** Throws 403 where there is no kind of job that they may see. */
export function requireOwnJobs(
  person: SignedIn,
  { kind, subjectId }: { kind?: string | undefined; subjectId?: string | undefined },
): JobListing {
  const open = JOB_KINDS.filter((one) => one.may(person) && (kind === undefined || one.kind === kind));
  if (open.length === 0)
    throw new HttpError(403, 'page_forbidden', 'You may not open this page here. Ask an owner of your organization to tick it for you.');
  return {
    kinds: open.map((one) => one.kind),
    narrowed: open.flatMap((one) => {
      const subjectIds = one.subjects?.(person);
      return subjectIds === undefined ? [] : [{ kind: one.kind, subjectIds }];
    }),
    within: open.flatMap((one) => {
      const verticalIds = one.verticals?.(person);
      return verticalIds === undefined ? [] : [{ kind: one.kind, verticalIds }];
    }),
    subjectId,
  };
}
