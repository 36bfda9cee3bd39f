/** What the consumer sends by a lander becomes a lead of its publisher tier, like any other: decided, sold, explained. */
import type { LanderData, SubmitLanderBody } from '#contract/card.ts';
import { ownValue } from '#contract/field-name.ts';
import { CONSENT_CHANGED, CONSENT_NEEDED, LANDER_PATH, type LanderField, landerProblem, readTyped } from '#contract/lander-check.ts';
import { DEFAULT_TIMEOUT_MS } from '#contract/posting.ts';
import { keepSource } from '#contract/visit-source.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { acceptLead } from '#server/lead/accept-lead.ts';
import { dropCardNumber } from '#server/lead/card-number.ts';
import { type Acceptance, AnswerDelayed, IdempotencyMismatch, type IncomingLead, type Intake, LeadInFlight } from '#server/lead/intake.ts';
import { type IntakeRoom, NoRoom, withinNode, withinShare } from '#server/lead/intake-room.ts';
import { StoreUnavailable } from '#server/lead/lead.store.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { PublicCard } from './card.sql.ts';
import { isOpen, viewLander } from './lander.view.ts';

export interface Submission {
  organization: OrganizationPlan;
  card: PublicCard;
  body: SubmitLanderBody;
  /** The page of another host that sent it. */
  origin: string | undefined;
  ip: string;
  userAgent: string;
}

/** What of it is kept as proof. */
export interface Said extends Pick<Submission, 'origin' | 'userAgent'> {
  card: Pick<PublicCard, 'id' | 'consentText'>;
  body: Pick<SubmitLanderBody, 'dc_source' | 'dc_consent_version'>;
}

export interface Submitted {
  /** Undefined where the lead is taken, and its answer cannot be given yet. */
  answer?: Acceptance['answer'];
  /** False where it was sent before. */
  isNew: boolean;
}

/** Takes its place among all leads of the node; where there is none, 429 `lander_busy`. */
export async function submitLander(intake: Intake, room: IntakeRoom, submission: Submission): Promise<Submitted> {
  const { organization, card, body } = submission;
  const lander = viewLander(organization, card);
  const seat = card.publisherTierId === null ? undefined : organization.publisherSeats.get(card.publisherTierId);
  if (!lander || !seat || !isOpen(organization, card))
    throw new HttpError(409, 'lander_closed', 'This form takes no requests at the moment.');
  const { fields } = lander.verticalInfo;
  requireValid(lander, body);
  const values = valuesOf(submission, fields);
  const binField = organization.plan.publisherTiers.get(seat.id)?.campaign.vertical.binField;
  const call = { fields: values, body: Buffer.from(JSON.stringify(proofOf(submission, values, intake.clock()))) };
  const kept = binField ? dropCardNumber(binField, call) : call;
  const incoming: IncomingLead = {
    ...{ organization, seat, mode: 'full', test: false, timeoutMs: DEFAULT_TIMEOUT_MS, pageId: card.id },
    fields: kept.fields,
    idempotencyKey: body.dc_submission ? `lander ${card.id} ${body.dc_submission}` : undefined,
    // A consumer who closes the page has sent the form all the same.
    publisherGone: () => false,
    inbound: {
      method: 'POST',
      path: LANDER_PATH,
      contentType: 'application/json',
      body: kept.body.toString('utf8'),
      ip: submission.ip,
    },
  };
  try {
    const { answer, replayed } = await withinNode(room, () =>
      withinShare(room, organization.organizationId, intake.clock(), () => acceptLead(intake, incoming)),
    );
    return { answer, isNew: !replayed };
  } catch (error) {
    if (error instanceof AnswerDelayed || error instanceof LeadInFlight) return { isNew: error instanceof AnswerDelayed };
    if (error instanceof IdempotencyMismatch)
      throw new HttpError(409, 'lander_submission_taken', 'Something else was sent with this dc_submission. Choose a new one.');
    if (error instanceof NoRoom)
      throw new HttpError(
        429,
        'lander_busy',
        'Too much is sent at the moment, and what you wrote was not taken. Send it again in a moment.',
        {
          retryAfterSeconds: 2,
        },
      );
    if (error instanceof StoreUnavailable)
      throw new HttpError(503, 'store_unavailable', 'What you wrote was not taken. Send it again in a moment.', { retryAfterSeconds: 2 });
    throw error;
  }
}

function requireValid({ verticalInfo: { fields }, consentText, consentVersion }: LanderData, body: SubmitLanderBody): void {
  const errors = fields.flatMap((field) => {
    const message = landerProblem(field, saidIn(body, field));
    return message === undefined ? [] : [{ field: field.fieldName, message }];
  });
  const consent = consentText === '' ? undefined : consentProblem(consentVersion, body);
  if (consent !== undefined) errors.push({ field: 'dc_consent', message: consent });
  if (errors.length > 0)
    throw new HttpError(400, 'lander_invalid', errors.map(({ message }) => message).join('. '), {
      errors,
      // So that the page can show what is to be agreed to now.
      ...(consent !== undefined && { current: { consentText, consentVersion } }),
    });
}

/** Nobody agrees to words that they did not see: a page says which it showed. */
function consentProblem(now: string, { dc_consent, dc_consent_version: shown }: SubmitLanderBody): string | undefined {
  if (shown !== undefined && shown !== now) return CONSENT_CHANGED;
  return dc_consent === true ? undefined : CONSENT_NEEDED;
}

/** '' where it was left out, whatever the field is called. */
const saidIn = (body: SubmitLanderBody, { fieldName }: LanderField): string => String(ownValue(body, fieldName) ?? '');

/** The visible fields, and where the vertical has a field for them the consumer's address and what that of the visit told. */
function valuesOf({ organization, card, body, ip }: Submission, fields: readonly LanderField[]): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const field of fields) values[field.fieldName] = readTyped(field.type, saidIn(body, field));
  const known = organization.plan.verticals.get(card.verticalId)?.config.fields ?? [];
  for (const { fieldName, type } of known) if (type === 'ip') values[fieldName] = ip;
  for (const [name, value] of Object.entries(sourceOf(body)))
    if (known.some(({ fieldName }) => fieldName === name) && !Object.hasOwn(values, name)) values[name] = value;
  return values;
}

const sourceOf = ({ dc_source = {} }: Said['body']): Record<string, string> => keepSource(Object.entries(dc_source));

/** Kept with the lead as the call that brought it: what was said, what was agreed to in which words, and from where. */
export function proofOf({ card, body, origin, userAgent }: Said, values: Record<string, unknown>, now: number): Record<string, unknown> {
  return {
    ...values,
    dc_status: 1,
    dc_rolodex_id: card.id,
    ...(card.consentText !== '' && {
      // With the version the page showed these very words; without, they are those of the card when the form came.
      dc_consent: {
        text: card.consentText,
        agreedAt: new Date(now).toISOString(),
        ...(body.dc_consent_version !== undefined && { version: body.dc_consent_version }),
      },
    }),
    ...(body.dc_source && { dc_source: sourceOf(body) }),
    ...(origin !== undefined && { dc_origin: origin }),
    dc_user_agent: userAgent.slice(0, 300),
  };
}
