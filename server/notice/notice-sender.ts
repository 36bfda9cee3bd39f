/**
 * Tells buyers that were outbid, after their lead was sold, stored and answered: nobody waits for it, and it counts in no cap and no breaker.
 * Each is told once. What a stopped node had not told yet is dropped (decision 0020); its row stays due, and the lead's page says so.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Delivery, deliver } from '#server/delivery/deliver.ts';
import type { Outbound } from '#server/delivery/outbound.ts';
import type { Db } from '#server/kit/database.ts';
import { contextOf, type DeliveryAbout, shownAtPing } from '#server/lead/buyer-delivery.ts';
import { type Counting, NO_COUNTING } from '#server/metric/open-metrics.ts';
import type { LossNotice } from './loss-notice.ts';
import { endNotice, type NoticeOutcome } from './notice.sql.ts';

export interface NoticeSender {
  /** Returns at once. */
  send(about: DeliveryAbout, notices: readonly LossNotice[]): void;
  /** Of all organizations. */
  waiting(): number;
  /** Lets those on their way come to an end, for a moment. */
  close(): Promise<void>;
}

export interface NoticeSenderOptions {
  db: Db;
  outbound: Outbound;
  clock: () => number;
  onError: (error: unknown) => void;
  metrics?: Counting;
}

/**
 * On their way at once, of all organizations and of one, and waiting of one: buyers that do not listen must neither fill a node nor
 * make those of other organizations wait.
 */
export const AT_ONCE = 32;
export const AT_ONCE_EACH = 16;
export const WAITING_EACH = 1_000;
/** Who waited so long is told no more. */
export const WAIT_MOST_MS = 2 * 60_000;
/** A notice is no lead: nobody gets longer, whatever its tier's time limit. */
export const NOTICE_TIME_MS = 5_000;
const CLOSE_WITHIN_MS = 2_000;

interface Waiting {
  about: DeliveryAbout;
  notice: LossNotice;
  sinceMs: number;
}

/** The notices of one organization. */
interface Line {
  organizationId: string;
  waiting: Waiting[];
  underWay: number;
}

export function openNoticeSender({ db, outbound, clock, onError, metrics = NO_COUNTING }: NoticeSenderOptions): NoticeSender {
  const lines = new Map<string, Line>();
  const running = new Set<Promise<void>>();
  let isClosing = false;

  function pump(): void {
    while (!isClosing && running.size < AT_ONCE) {
      const line = shortest(lines);
      if (!line) return;
      const next = line.waiting.shift()!;
      const isTooLate = clock() - next.sinceMs > WAIT_MOST_MS;
      const told: Promise<void> = (isTooLate ? drop(next) : tell(next)).catch(onError).finally(() => {
        running.delete(told);
        line.underWay -= 1;
        if (line.underWay === 0 && line.waiting.length === 0) lines.delete(line.organizationId);
        pump();
      });
      line.underWay += 1;
      running.add(told);
    }
  }

  function lineOf(organizationId: string): Line {
    const line = lines.get(organizationId) ?? { organizationId, waiting: [], underWay: 0 };
    lines.set(organizationId, line);
    return line;
  }

  async function tell(one: Waiting): Promise<void> {
    const { about, notice } = one;
    const { organization, leadId } = about;
    const buyer = organization.buyerWires.get(notice.buyerTierId);
    if (!buyer?.wire?.lost) return drop(one);
    const startedAt = clock();
    const { buyerTierId, bid, captures, winning } = notice;
    const delivery = await deliver(
      outbound,
      // Beside the buyer's leads, not before them.
      { ...buyer.wire, bulkhead: `${buyer.wire.bulkhead} lost` },
      { buyerTierId, leg: 'lost', timeoutMs: NOTICE_TIME_MS, captures, ...(bid !== undefined && { price: bid }) },
      shownAtPing(about),
      { ...contextOf({ clock }, about, buyer.opened), ...(buyer.tellWinningPrice && { winningPrice: winning }) },
    );
    const outcome = outcomeOf(delivery);
    metrics.add('sluice_notices_total', { outcome });
    await endNotice(db, organization.keys, {
      ...{ leadId, buyerTierId, startedAt, outcome, elapsedMs: delivery.answer.elapsedMs },
      timing: delivery.wire.timing,
      statusCode: delivery.wire.response?.status ?? null,
      wire: { ...delivery.wire, warnings: worthALook(delivery), reasons: delivery.answer.reasons },
    });
  }

  async function drop({ about, notice }: Waiting): Promise<void> {
    metrics.add('sluice_notices_total', { outcome: 'dropped' });
    const startedAt = clock();
    const nothing = { elapsedMs: 0, timing: { waitMs: 0, readMs: 0 }, statusCode: null, wire: undefined };
    const ended = { leadId: about.leadId, buyerTierId: notice.buyerTierId, outcome: 'dropped' as const, startedAt, ...nothing };
    await endNotice(db, about.organization.keys, ended).catch(onError);
  }

  return {
    send(about, notices) {
      for (const notice of notices) {
        const { waiting } = lineOf(about.organization.organizationId);
        const one = { about, notice, sinceMs: clock() };
        if (waiting.length < WAITING_EACH) waiting.push(one);
        else void drop(one);
        pump();
      }
    },
    waiting: () => lines.values().reduce((sum, { waiting }) => sum + waiting.length, 0),
    async close() {
      isClosing = true;
      const dropped = [...lines.values()].flatMap(({ waiting }) => waiting.splice(0).map(drop));
      await Promise.race([Promise.all([...running, ...dropped]), sleep(CLOSE_WITHIN_MS)]);
    },
  };
}

/** Of those in which somebody waits and that have room, the one with the fewest under way. */
function shortest(lines: ReadonlyMap<string, Line>): Line | undefined {
  let found: Line | undefined;
  for (const line of lines.values()) if (line.waiting.length > 0 && line.underWay < (found?.underWay ?? AT_ONCE_EACH)) found = line;
  return found;
}

/** Leads of a past that is made up: nobody is told anything. */
export const NO_NOTICES: Pick<NoticeSender, 'send'> = { send: () => {} };

/** Nothing is read of the answer, so none of it is missing. */
const worthALook = ({ wire }: Delivery) => wire.warnings.filter(({ code }) => code !== 'empty-body');

function outcomeOf({ answer, wire }: Delivery): NoticeOutcome {
  if (answer.outcome === 'accepted') return 'told';
  if (wire.response) return 'refused';
  return answer.outcome === 'timeout' ? 'timeout' : 'error';
}
