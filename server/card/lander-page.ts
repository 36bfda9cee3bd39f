/** The page of a lander (account §2): what the form is for, and the form, which a script sends. */
import type { LanderData } from '#contract/card.ts';
import { designOf } from '#contract/card-design.ts';
import type { LanderField, LanderInput } from '#contract/lander-check.ts';
import { type Source, withSource } from '#contract/visit-source.ts';
import { Html, html } from '#server/kit/html.ts';
import type { PublicCard } from './card.sql.ts';
import type { CardAddresses } from './card-page.ts';
import { page, pathOf } from './page.ts';

export function landerPage(card: PublicCard, lander: LanderData, at: CardAddresses, source: Source): string {
  const design = designOf(card.designKey, card.designColor);
  const by = card.company || card.name;
  const head = { title: `Contact ${by}`, description: `Write to ${by}`, url: at.lander, picture: at.picture, design };
  const body = html`<main class="lander">
<header class="lander-head"><h1>Contact <a href="${withSource(pathOf(at.card), source)}" dir="auto">${by}</a></h1></header>
<section class="description" dir="auto">${new Html(lander.serviceProviderInfo.description)}</section>
${lander.isOpen ? form(lander) : html`<p class="closed" role="status">This form takes no requests at the moment.</p>`}
</main>`;
  return page(head, body, lander.isOpen);
}

/** It has no action and, until the script is there, no button: a browser alone would put what is typed into an address. */
function form({ rolodexId, verticalInfo: { fields }, consentText, consentVersion }: LanderData): Html {
  return html`<form data-rolodex="${rolodexId}" data-consent="${consentVersion}" method="post" novalidate>
<noscript><p class="closed">This form needs JavaScript. The page of the card has other ways to get in touch.</p></noscript>
${fields.map(fieldOf)}
<p class="trap" aria-hidden="true"><label>Leave this empty <input id="field-dc_website" name="dc_website" tabindex="-1" autocomplete="off"></label></p>
<p class="field consent" ${!consentText && new Html('hidden')}><label><input type="checkbox" id="field-dc_consent" required aria-describedby="field-dc_consent-problem"> <span dir="auto">${consentText}</span></label><span class="problem" id="field-dc_consent-problem" role="alert"></span></p>
<button class="button main" type="submit" disabled>Send</button>
<p class="done" role="status" tabindex="-1" hidden></p>
<script type="application/json" data-fields>${new Html(JSON.stringify(fields).replaceAll('<', '\\u003c'))}</script>
</form>`;
}

const INPUTS: Partial<Record<LanderInput, string>> = {
  email: 'type="email" autocomplete="email" inputmode="email"',
  phone: 'type="tel" autocomplete="tel" inputmode="numeric"',
  url: 'type="url" inputmode="url" placeholder="https://"',
  number: 'type="text" inputmode="numeric"',
  integer: 'type="text" inputmode="numeric"',
  date: 'type="date"',
};

/** Named apart from what a form has by itself: a field "reset" would take its place. */
function fieldOf(field: LanderField): Html {
  const { fieldName, fieldHumanName, type, required, minChar, maxChar, options } = field;
  const id = `field-${fieldName}`;
  const rules = html`id="${id}" name="${id}" ${required && new Html('required')} aria-describedby="${id}-problem"`;
  const input =
    options.length > 0
      ? html`<select ${rules}><option value=""></option>${options.map(({ value, label }) => html`<option value="${value}">${label}</option>`)}</select>`
      : html`<input ${rules} ${new Html(INPUTS[type] ?? 'type="text"')} ${minChar !== null && html`minlength="${minChar}"`} ${maxChar !== null && type !== 'phone' && html`maxlength="${maxChar}"`}>`;
  return html`<p class="field"><label for="${id}">${fieldHumanName}${!required && html` <small>(optional)</small>`}</label>${input}<span class="problem" id="${id}-problem" role="alert"></span></p>`;
}
