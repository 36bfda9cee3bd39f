/** The form of a lander: digits alone remain while typing, each field says what is wrong with it, and what is sent becomes a lead. */
import { keepTyped, type LanderField, landerProblem, readTyped } from '#contract/lander-check.ts';
import { sourceOf } from './source.ts';

type Input = HTMLInputElement | HTMLSelectElement;
interface Refusal {
  errors?: { field: string; message: string }[];
}

export function sendForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-rolodex]')) watch(form);
}

function watch(form: HTMLFormElement): void {
  const fields = JSON.parse(form.querySelector('[data-fields]')!.textContent!) as LanderField[];
  // Sent again because an answer was lost, it is the same submission.
  let submission = crypto.randomUUID();
  for (const field of fields) {
    const input = inputOf(form, field.fieldName);
    input.addEventListener('input', () => {
      const kept = keepTyped(field.type, input.value);
      if (kept !== input.value) input.value = kept;
      if (input.getAttribute('aria-invalid') === 'true') tell(form, field.fieldName, landerProblem(field, input.value));
    });
    input.addEventListener('blur', () => {
      if (input.value !== '') tell(form, field.fieldName, landerProblem(field, input.value));
    });
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const wrong = fields.filter((field) => tell(form, field.fieldName, landerProblem(field, inputOf(form, field.fieldName).value)));
    const consent = form.elements.namedItem('dc_consent') as HTMLInputElement | null;
    if (consent && tell(form, 'dc_consent', consent.checked ? undefined : 'Please agree, so that you may be called back'))
      wrong.push({ fieldName: 'dc_consent' } as LanderField);
    if (wrong.length > 0) return inputOf(form, wrong[0]!.fieldName).focus();
    const button = form.querySelector<HTMLButtonElement>('[type=submit]')!;
    button.disabled = true;
    button.textContent = 'Sending…';
    try {
      const told = await send(form, fields, submission);
      if (told.errors) showRefusal(form, told.errors);
      else {
        submission = crypto.randomUUID();
        succeed(form, told);
      }
    } catch (error) {
      // Account §8: what goes wrong on the way is only logged.
      console.error('The form could not be sent.', error);
    } finally {
      button.disabled = false;
      button.textContent = 'Send';
    }
  });
}

async function send(
  form: HTMLFormElement,
  fields: LanderField[],
  submission: string,
): Promise<Refusal & { msg?: string; redirectUrl?: string }> {
  const rolodexId = form.dataset.rolodex!;
  const consent = form.elements.namedItem('dc_consent') as HTMLInputElement | null;
  const trap = (form.elements.namedItem('dc_website') as HTMLInputElement).value;
  const source = sourceOf(location.search);
  const response = await fetch('/api/v1/drawcard/submit-lander', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      ...Object.fromEntries(fields.map(({ fieldName, type }) => [fieldName, readTyped(type, inputOf(form, fieldName).value)])),
      ...{ dc_status: 1, dc_rolodex_id: rolodexId, rolodexId, dc_submission: submission },
      ...(consent && { dc_consent: consent.checked }),
      ...(trap && { dc_website: trap }),
      ...(Object.keys(source).length > 0 && { dc_source: source }),
    }),
  });
  const answer = (await response.json()) as Refusal & { msg?: string };
  if (response.ok || (response.status === 400 && answer.errors?.length)) return answer;
  throw new Error(answer.msg ?? String(response.status));
}

/** The success flag, and the form as it was in the beginning. */
function succeed(form: HTMLFormElement, { msg = '', redirectUrl }: { msg?: string; redirectUrl?: string }): void {
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

function showRefusal(form: HTMLFormElement, errors: { field: string; message: string }[]): void {
  for (const { field, message } of errors) tell(form, field, message);
  const first = errors.find(({ field }) => form.elements.namedItem(field));
  if (first) inputOf(form, first.field).focus();
}

const inputOf = (form: HTMLFormElement, name: string): Input => form.elements.namedItem(name) as Input;

/** Says what is wrong with a field, or that nothing is; whether something was. */
function tell(form: HTMLFormElement, name: string, problem: string | undefined): boolean {
  const input = form.elements.namedItem(name) as Input | null;
  const place = document.getElementById(name === 'dc_consent' ? 'dc_consent-problem' : `field-${name}-problem`);
  if (!input || !place) return false;
  place.textContent = problem ?? '';
  if (problem) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
  return problem !== undefined;
}
