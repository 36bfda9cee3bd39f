/**
 * The log of sign-ins and refusals (decision 0044), written without anybody waiting for it. Which organizations a line stands in, and how its
 * people are called, is looked up as it is written. What one person or network may fill of it is bounded (kit/bounded-log.ts): people, what went
 * well, and strangers each have room of their own.
 */
import type pg from 'pg';
import type { SecurityFactors, SecurityKind, SecurityOutcome } from '#contract/security-words.ts';
import { type Bounds, type Kept, openBoundedLog } from '#server/kit/bounded-log.ts';
import { newId } from '#server/kit/ids.ts';
import { retrying } from '#server/kit/retry.ts';
import { readPlaces } from './read-places.sql.ts';

/**
 * Whom a line is about, and where it stands: in one organization, in all whose team the person is on; of a link that names nobody, in the one at whose
 * address it was opened; or where the session belongs that a cookie was made for (`tokenHash`, in hex), whether or not it has ended.
 */
export type Subject =
  | { userId: string; organizationId: string }
  | { userId: string; isAnywhere: true }
  | { isStranger: true }
  | { tokenHash: string };

export interface SecurityEvent {
  /** Milliseconds since 1970. */
  at: number;
  subject: Subject;
  /** The organization whose address the call came to; null where that is nobody's. */
  calledAt: string | null;
  byUserId: string | null;
  kind: SecurityKind;
  outcome: SecurityOutcome;
  factors: SecurityFactors;
  network: string;
  device: string;
  method: string;
  /** The pattern of the address. */
  route: string;
  statusCode: number;
  code: string;
}

export interface SecurityLog {
  /** Never waits and never throws. */
  record(event: SecurityEvent): void;
  /** Writes what is left. */
  close(): Promise<void>;
}

/** Of one person in one organization. */
const PEOPLE: Bounds = {
  windowMs: 60_000,
  perWindow: 30,
  bytesPerWindow: Number.POSITIVE_INFINITY,
  folds: false,
  mostGroups: 10_000,
  mostKinds: 2_000,
  mostKindsOfGroup: 100,
  mostWaiting: 5_000,
  mostWaitingBytes: Number.POSITIVE_INFINITY,
};
/** Of one person in one organization, what went well: no flood of refusals hides it. */
const WENT_WELL: Bounds = { ...PEOPLE, perWindow: 10, mostKindsOfGroup: 50 };
/** Of one network, what is of nobody that is known yet. */
const STRANGERS: Bounds = { ...PEOPLE, folds: true, mostGroups: 2_000, mostKindsOfGroup: 50, mostWaiting: 2_000 };
const TRIES = 3;
const FIRST_PAUSE_MS = 250;

export function openSecurityLog(options: {
  pool: pg.Pool;
  now: () => number;
  onError: (error: unknown) => void;
  /** So many lines are not kept, for want of room or of a database. */
  onLost: (lines: number) => void;
}): SecurityLog {
  const { pool, now, onError, onLost } = options;
  const open = (bounds: Bounds) =>
    openBoundedLog<SecurityEvent>({
      ...{ bounds, now, onError, onLost },
      bytesOf: () => 0,
      write: (events) => retrying(TRIES, FIRST_PAUSE_MS, () => insertEvents(pool, events)),
    });
  const [people, wentWell, strangers] = [open(PEOPLE), open(WENT_WELL), open(STRANGERS)];
  return {
    record(event) {
      const { subject, network, calledAt, kind, outcome, code } = event;
      if ('userId' in subject) {
        const group = `${subject.userId} ${'organizationId' in subject ? subject.organizationId : ''}`;
        // Who gave the right password from one network is never counted among those of another.
        if (outcome === 'done' || outcome === 'next-step') wentWell.record({ group, kind: `${kind} ${outcome} ${network}` }, () => event);
        else people.record({ group, kind: `${kind} ${outcome} ${code}` }, () => event);
        return;
      }
      // Cookies and links may be anything: each is counted for itself, so that those of nobody do not take others along.
      const whose = 'tokenHash' in subject ? subject.tokenHash : calledAt;
      strangers.record({ group: network, kind: `${kind} ${outcome} ${code} ${whose}` }, (isFolded) =>
        isFolded ? { ...event, network: '', device: '' } : event,
      );
    },
    async close() {
      await Promise.all([people.close(), wentWell.close(), strangers.close()]);
    },
  };
}

async function insertEvents(pool: pg.Pool, kept: readonly Kept<SecurityEvent>[]): Promise<void> {
  const { placesOf } = await readPlaces(
    pool,
    kept.map(({ row }) => row),
  );
  const lines = kept.flatMap(({ row, more }) => placesOf(row).map((place) => ({ ...row, ...place, id: newId(row.at), more })));
  if (lines.length === 0) return;
  const of = <Value>(value: (line: (typeof lines)[number]) => Value): Value[] => lines.map(value);
  await pool.query({
    name: 'insert-security-log',
    text: `insert into security_log (organization_id, id, user_id, user_name, by_user_id, by_name, kind, outcome, factors, network, device, method, route, status_code, code, more)
      select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[],
        $14::smallint[], $15::text[], $16::int[])`,
    values: [
      of((line) => line.organizationId),
      of((line) => line.id),
      of((line) => line.userId),
      of((line) => line.userName),
      of((line) => line.byUserId),
      of((line) => line.byName),
      of((line) => line.kind),
      of((line) => line.outcome),
      of((line) => line.factors),
      of((line) => line.network),
      of((line) => line.device),
      of((line) => line.method),
      of((line) => line.route),
      of((line) => line.statusCode),
      of((line) => line.code),
      of((line) => line.more),
    ],
  });
}
