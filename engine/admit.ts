/** Letting a lead into the tree: one reservation for the publisher tier's caps and duplicates. */
import { addClaims } from './cap.ts';
import type { Conclusion } from './conclude.ts';
import { duplicateClaim } from './duplicate.ts';
import type { Reservation } from './effect.ts';
import { explainRefusal, holdsSomething } from './reserve.ts';
import { type Ask, addStep, ask, explanation, type Run } from './run.ts';

/** Undefined where the lead may go on. Publisher 'sent' caps count received leads; a ping only asks for room and looks. */
export function* admit(run: Run): Ask<Conclusion | undefined> {
  const reservation = admitReservation(run);
  if (!holdsSomething(reservation)) return undefined;
  const result = yield* ask(run, { kind: 'reserve', mode: 'first', reservations: [reservation] });
  if (result?.granted?.includes(0)) return void addStep(run, explanation('admitted'));
  const refusal = result?.refused?.[0]?.refusal;
  if (!refusal) return { status: 'error', why: explanation('reservation-unanswered') };
  const { why } = explainRefusal(refusal, 'publisherTier');
  if (refusal.by === 'cap') return { status: 'rejected', reason: 'publisher-tier-filter-failed', why };
  return { status: 'duplicate', reason: 'publisher-tier-lead-duplicate-failed', why, duplicateOfLeadId: refusal.earlierLeadId };
}

/** Fingerprints of a rule that counts sold leads only are given back when nobody bought. */
export function* releaseAdmission(run: Run): Ask<void> {
  const { duplicate } = admitReservation(run);
  if (!duplicate?.claim || duplicate.keepOnRelease) return;
  yield* ask(run, { kind: 'release', subject: { kind: 'publisherTier', id: run.tier.config.id }, purpose: 'admit' });
}

/** What a lead takes from its publisher tier on entering; for a ping only questions. */
export function admitReservation(run: Run): Reservation {
  const { config, caps } = run.tier;
  const isPing = run.lead.mode === 'ping';
  const reservation: Reservation = { subject: { kind: 'publisherTier', id: config.id }, purpose: 'admit', claims: [] };
  addClaims(reservation.claims, caps, { sent: isPing ? 0 : 1, sold: 0, money: 0 }, run.now);
  const duplicate = config.duplicate && duplicateClaim(config.duplicate, config.id, run.fields, run.now, isPing);
  return duplicate ? { ...reservation, duplicate } : reservation;
}
