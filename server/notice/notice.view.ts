/** Loss notices of one lead: as calls beside its attempts, and in a sentence behind why the buyer did not get it. */
import type { AttemptView } from '#contract/lead.ts';
import { idInstant } from '#server/kit/ids.ts';
import { viewWire } from '#server/lead/attempt.view.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import type { Masking } from '#server/lead/mask-text.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { NoticeOfLead } from './notice.sql.ts';
import { NOTICE_TIME_MS, WAIT_MOST_MS } from './notice-sender.ts';

/** By then it has ended, or nobody sends it any more. */
const ENDED_BY_MS = WAIT_MOST_MS + 2 * NOTICE_TIME_MS;

type NoticeState = 'told' | 'untold' | 'due' | 'dropped';

function stateOf({ outcome, due_at }: NoticeOfLead, now: number): NoticeState {
  if (outcome === null) return now - due_at.getTime() > ENDED_BY_MS ? 'dropped' : 'due';
  if (outcome === 'told' || outcome === 'dropped') return outcome;
  return 'untold';
}

export function viewNotices(
  organization: OrganizationPlan,
  notices: readonly NoticeOfLead[],
  masking: Masking,
  now: number,
): AttemptView[] {
  return notices.map((row) => {
    const wire = row.wire ?? { reasons: [] };
    const startedAt = row.started_at ?? row.due_at;
    const seat = organization.buyerWires.get(row.buyer_tier_id);
    return {
      _id: `${row.lead_id}-lost-${row.buyer_tier_id}`,
      buyerTierId: row.buyer_tier_id,
      buyerTierName: seat?.name ?? '',
      buyerName: seat?.buyerName ?? '',
      groupName: organization.groupNames.get(row.group_id)?.name ?? '',
      leg: 'lost',
      outcome: stateOf(row, now),
      startedAt: startedAt.toISOString(),
      offsetMs: Math.max(0, startedAt.getTime() - idInstant(row.lead_id)),
      isAnswered: row.status_code !== null,
      elapsedMs: row.elapsed_ms ?? 0,
      connectMs: row.connect_ms,
      waitMs: row.wait_ms,
      readMs: row.read_ms,
      bid: row.bid === null ? null : money(row.bid),
      price: null,
      reasons: wire.reasons.map(masking.leaf),
      lateAnswer: null,
      wire: viewWire(wire, masking),
    };
  });
}

/** Behind the verdict of the tier; '' where nobody was to be told. */
export function sayNotice(notices: readonly NoticeOfLead[], buyerTierId: string, now: number): string {
  const notice = notices.find((one) => one.buyer_tier_id === buyerTierId);
  if (!notice) return '';
  switch (stateOf(notice, now)) {
    case 'told':
      return ' It was told that it lost.';
    case 'due':
      return ' It is being told that it lost.';
    case 'dropped':
      return ' It was not told that it lost: there was too much to tell, or our node stopped before.';
    case 'untold':
      return ` It could not be told that it lost: ${failureOf(notice)}.`;
  }
}

function failureOf({ outcome, status_code }: NoticeOfLead): string {
  if (outcome === 'refused') return `it answered with HTTP ${status_code}`;
  return outcome === 'timeout' ? `no answer within ${NOTICE_TIME_MS} ms` : 'no answer came';
}
