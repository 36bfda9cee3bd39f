/** The form of a lander: of a phone digits alone remain, each field says what is wrong with it, and what is sent becomes a lead. */
import { CONSENT_NEEDED, keepTyped, LANDER_PATH, type LanderField, landerProblem, readTyped } from '#contract/lander-check.ts';
import { keepSource } from '#contract/visit-source.ts';
import { newKey } from '#web/ui/new-key.ts';

type Input = HTMLInputElement | HTMLSelectElement;
interface Answer {
  msg?: string;
  redirectUrl?: string;
  errors?: { field: string; message: string }[];
  /** The words as they are now, where others were agreed to. */
  current?: { consentText: string; consentVersion: string };
}

const CONSENT = 'dc_consent';
/** ms. Longer than the server waits for buyers; what is sent again after it is the same submission. */
const SEND_WITHIN_MS = 90_000;

export function sendForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-rolodex]')) watch(form);
}

function watch(form: HTMLFormElement): void {
  const fields = JSON.parse(form.querySelector('[data-fields]')!.textContent!) as LanderField[];
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')!;
  // Sent again because an answer was lost, it is the same submission; with anything else in it, it is another.
  let submission = newKey();
  form.addEventListener('input', () => {
    submission = newKey();
  });
  for (const field of fields) {
    const input = inputOf(field.fieldName)!;
    input.addEventListener('input', () => {
      const kept = keepTyped(field.type, input.value);
      if (kept !== input.value) input.value = kept;
      if (input.getAttribute('aria-invalid') === 'true') tell(field.fieldName, landerProblem(field, input.value));
    });
    input.addEventListener('blur', () => {
      if (input.value !== '') tell(field.fieldName, landerProblem(field, input.value));
    });
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    beginAnew(form);
    const wrong = fields.filter((field) => tell(field.fieldName, landerProblem(field, typedIn(field)))).map(({ fieldName }) => fieldName);
    const consent = consentBox();
    if (consent && tell(CONSENT, consent.checked ? undefined : CONSENT_NEEDED)) wrong.push(CONSENT);
    if (wrong.length > 0) return inputOf(wrong[0]!)?.focus();
    button.disabled = true;
    button.textContent = 'Sending…';
    try {
      const answer = await send(form, fields, submission);
      submission = newKey();
      if (answer.errors) showRefusal(form, answer.errors, answer.current);
      else succeed(form, answer);
    } catch (error) {
      // Account §8: what goes wrong on the way is only logged.
      console.error('The form could not be sent.', error);
    } finally {
      button.disabled = false;
      button.textContent = 'Send';
    }
  });
  button.disabled = false;
}

async function send(
  { dataset: { rolodex: rolodexId, consent: version } }: HTMLFormElement,
  fields: LanderField[],
  submission: string,
): Promise<Answer> {
  const consent = consentBox();
  const trap = inputOf('dc_website')?.value;
  const source = keepSource(new URLSearchParams(location.search));
  const response = await fetch(LANDER_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    signal: AbortSignal.timeout(SEND_WITHIN_MS),
    body: JSON.stringify({
      ...Object.fromEntries(fields.map((field) => [field.fieldName, readTyped(field.type, typedIn(field))])),
      ...{ dc_status: 1, dc_rolodex_id: rolodexId, rolodexId, dc_submission: submission },
      ...(consent && { dc_consent: consent.checked, dc_consent_version: version }),
      ...(trap && { dc_website: trap }),
      ...(Object.keys(source).length > 0 && { dc_source: source }),
    }),
  });
  const answer = (await response.json()) as Answer;
  if (response.ok || (response.status === 400 && answer.errors?.length)) return answer;
  throw new Error(answer.msg ?? String(response.status));
}

/** What went through before says nothing about what is sent now (account §4). */
function beginAnew(form: HTMLFormElement): void {
  delete form.dataset.success;
  const done = form.querySelector<HTMLElement>('.done')!;
  done.hidden = true;
  done.replaceChildren();
}

/** The success flag, and the form as it was in the beginning. */
function succeed(form: HTMLFormElement, { msg = '', redirectUrl }: Answer): void {
  form.reset();
  form.dataset.success = 'true';
  const done = form.querySelector<HTMLElement>('.done')!;
  done.textContent = msg;
  if (redirectUrl) {
    const link = document.createElement('a');
    link.href = redirectUrl;
    link.className = 'button main';
    link.textContent = 'Go on';
    done.append(' ', link);
  }
  done.hidden = false;
  done.focus();
}

function showRefusal(form: HTMLFormElement, errors: { field: string; message: string }[], current: Answer['current']): void {
  if (current) showConsent(form, current);
  const told = errors.filter(({ field, message }) => tell(field, message));
  if (told[0]) inputOf(told[0].field)?.focus();
  else console.error('The form was refused.', errors);
}

/** Other words are agreed to anew. */
function showConsent(form: HTMLFormElement, { consentText, consentVersion }: NonNullable<Answer['current']>): void {
  if (form.dataset.consent === consentVersion) return;
  form.dataset.consent = consentVersion;
  const place = form.querySelector<HTMLElement>('.consent')!;
  place.hidden = false;
  place.querySelector('[dir]')!.textContent = consentText;
  consentBox()!.checked = false;
}

const inputOf = (name: string): Input | null => document.getElementById(`field-${name}`) as Input | null;
const typedIn = ({ fieldName }: LanderField): string => inputOf(fieldName)?.value ?? '';
/** Null where the lander asks for none. */
function consentBox(): HTMLInputElement | null {
  const box = inputOf(CONSENT) as HTMLInputElement | null;
  return box?.closest('[hidden]') ? null : box;
}

/** Says what is wrong with a field, or that nothing is; whether something was, and could be said. */
function tell(name: string, problem: string | undefined): boolean {
  const input = inputOf(name);
  const place = document.getElementById(`field-${name}-problem`);
  if (!input || !place) return false;
  place.textContent = problem ?? '';
  if (problem) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
  return problem !== undefined;
}
