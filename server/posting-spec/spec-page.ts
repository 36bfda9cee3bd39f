/** The specification as a page of its own: no script, no sign-in, good on a phone and on paper. */
import { LARGEST_BODY_BYTES, LONGEST_TIMEOUT_MS } from '#contract/posting.ts';
import { REFUSALS } from '#contract/refusal.ts';
import { Html, html } from '#server/kit/html.ts';
import { answerExamples, asXml } from './answer-examples.ts';
import { codeSamples } from './code-samples.ts';
import { type PostingSpec, type SpecifiedField, sayDuplicate, typeWords } from './describe-posting.ts';

const HEAD = html`<th scope="col">`;

/** `asOf`: when it was made. `openApi`: the address of its OpenAPI document. */
export function specPage(spec: PostingSpec, asOf: Date, openApi: string): string {
  const { organizationName, publisherName, publisherTierName, campaignName, verticalName } = spec;
  const title = `Posting specification: ${verticalName}, ${publisherName}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<header>
<p class="kicker">${organizationName}</p>
<h1>Posting specification</h1>
<dl class="facts">
<div><dt>Publisher</dt><dd>${publisherName}, ${publisherTierName}</dd></div>
<div><dt>Campaign</dt><dd>${campaignName}</dd></div>
<div><dt>Vertical</dt><dd>${verticalName}</dd></div>
<div><dt>As of</dt><dd><time datetime="${asOf.toISOString()}">${asOf.toISOString().slice(0, 16).replace('T', ' ')} UTC</time></dd></div>
</dl>
<nav aria-label="Sections">${SECTIONS.map(([id, name]) => html`<a href="#${id}">${name}</a> `)}<a href="${openApi}">OpenAPI document</a></nav>
</header>
${callSection(spec)}
${fieldSection(spec)}
${controlSection()}
${testSection(spec)}
${duplicateSection(spec)}
${answerSection(spec, asOf)}
${refusalSection(spec)}
${sampleSection(spec)}
</main>
</body>
</html>
`.text;
}

const SECTIONS = [
  ['call', 'The call'],
  ['fields', 'Fields'],
  ['controls', 'Beside the fields'],
  ['test', 'Test mode'],
  ['duplicates', 'Duplicates'],
  ['answers', 'Answers'],
  ['refusals', 'Error codes'],
  ['samples', 'Samples'],
] as const;

function callSection({ origin, hasAddressList, timeLimitMs, pingsPerMinute }: PostingSpec): Html {
  const seconds = Math.ceil(timeLimitMs / 1000);
  return html`<section id="call">
<h2>The call</h2>
<p>All calls go to <code>${origin}</code>.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Calls"><table>
<thead><tr>${HEAD}Call</th>${HEAD}What it does</th></tr></thead>
<tbody>
<tr><td><code>POST /api/v1/leads</code></td><td>A whole lead. Answered when it is sold, or nobody bought.</td></tr>
<tr><td><code>POST /api/v1/leads/ping</code></td><td>A part of a lead, without the person. Answered with a bid and how long it holds.</td></tr>
<tr><td><code>POST /api/v1/leads/post</code></td><td>The whole lead of an earlier ping, which <code>pingId</code> names.</td></tr>
<tr><td><code>GET /api/v1/leads/{id}</code></td><td>The answer that a lead got, by its <code>leadId</code>.</td></tr>
</tbody></table></div>
<p>Send your posting key with every call, as <code>Authorization: Bearer YOUR-KEY</code>, as the header <code>X-Api-Key</code>, or in the field <code>key</code>. You have it from us by another way: it stands nowhere on this page. Keep it on your server, never in a browser.</p>
<p>The body is JSON, form fields or XML (one element, with an element for each field), in UTF-8 and at most ${LARGEST_BODY_BYTES / 1024} KiB. The answer is JSON, or XML where <code>Accept: application/xml</code> or <code>format=xml</code> asks for it.</p>
<ul>
<li>We try buyers for up to ${seconds} s. Wait a little longer than that, or say in <code>timeoutMs</code> for how long you will.</li>
${hasAddressList ? html`<li>Calls are taken only from addresses that were agreed on with you.</li>` : ''}
${pingsPerMinute === null ? '' : html`<li>At most ${pingsPerMinute} pings a minute.</li>`}
</ul>
</section>`;
}

function fieldSection(spec: PostingSpec): Html {
  const { fields, country } = spec;
  return html`<section id="fields">
<h2>Fields</h2>
<p>Names are spelled as here. Spaces around a value and the many spellings of phone numbers, states and dates are put right; a field that is not known here is stored as it came, and named in <code>warnings</code>.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Fields"><table class="fields">
<thead><tr>${HEAD}Field</th>${HEAD}Required</th>${HEAD}In a ping</th>${HEAD}Value</th>${HEAD}Example</th></tr></thead>
<tbody>
${fields.map(
  (field) => html`<tr>
<td><code>${field.name}</code><br><span class="quiet">${field.label}</span></td>
<td>${field.isRequired ? html`<strong>yes</strong>` : 'no'}</td>
<td>${field.isRequiredInPing ? 'required' : field.isInPing ? 'yes' : 'no'}</td>
<td>${valueText(field, country)}</td>
<td>${field.sample === '' ? html`<span class="quiet">–</span>` : html`<code>${field.sample}</code>`}</td>
</tr>`,
)}
</tbody></table></div>
</section>`;
}

function valueText(field: SpecifiedField, country: PostingSpec['country']): Html {
  const choices = field.options.length > 0 ? html`: ${field.options.map((one, at) => html`${at > 0 ? ', ' : ''}<code>${one}</code>`)}` : '';
  return html`${typeWords(field, country)}${choices}${field.limits.map((limit) => html`<br><span class="quiet">${limit}</span>`)}`;
}

function controlSection(): Html {
  const rows: [string, string][] = [
    ['key', 'Your posting key, where no header carries it.'],
    ['test', 'true: a test lead. Nothing is sold, sent or counted.'],
    ['timeoutMs', `For how long you will wait, in ms, at most ${LONGEST_TIMEOUT_MS}. 60000 when left out.`],
    ['pingId', 'With /post: the ping that this lead belongs to.'],
    ['format', 'json or xml: the format of the answer.'],
    ['campaignId', 'Checked against the campaign of the key, where given.'],
    ['landingPageId', 'The landing page that the lead came from, where it is counted.'],
  ];
  return html`<section id="controls">
<h2>Beside the fields</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Members beside the fields"><table>
<thead><tr>${HEAD}Member</th>${HEAD}What it says</th></tr></thead>
<tbody>${rows.map(([name, what]) => html`<tr><td><code>${name}</code></td><td>${what}</td></tr>`)}</tbody>
</table></div>
</section>`;
}

const RESULT_WORDS = {
  sold: 'is sold: a test sale, with a price and no buyer',
  rejected: 'is bought by nobody',
  timeout: 'ends as if every buyer had taken too long',
  error: 'fails, as if something had broken on our side',
} as const;

function testSection({ testValues }: PostingSpec): Html {
  const values = testValues
    ? (Object.keys(RESULT_WORDS) as (keyof typeof RESULT_WORDS)[]).flatMap((result) =>
        testValues[result] ? [[testValues[result], RESULT_WORDS[result]] as const] : [],
      )
    : [];
  return html`<section id="test">
<h2>Test mode</h2>
<p>With <code>test</code> set to <code>true</code> a lead is checked like any other: its fields, and whether a buyer would be asked now. Nobody is asked, nothing is sold, charged or counted. The answer is <code>test</code> where a buyer would have been asked.</p>
${
  testValues && values.length > 0
    ? html`<p>These values of <code>${testValues.field}</code> have the same result every time. A lead that carries one is a test, whether <code>test</code> is set or not.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Test values"><table>
<thead><tr>${HEAD}<code>${testValues.field}</code></th>${HEAD}The lead</th></tr></thead>
<tbody>${values.map(([value, what]) => html`<tr><td><code>${value}</code></td><td>${what}</td></tr>`)}</tbody>
</table></div>`
    : html`<p>This campaign has no values that always sell or always fail.</p>`
}
</section>`;
}

function duplicateSection(spec: PostingSpec): Html {
  return html`<section id="duplicates">
<h2>Duplicates, and sending again</h2>
<p>The same lead sent again within 60 seconds gets the first answer, and is worked on once; so does every call with the same <code>Idempotency-Key</code> header, for 30 days. So a call whose answer was lost can be sent again without being sold twice. Another lead under a used key is refused.</p>
<p>${sayDuplicate(spec)}</p>
</section>`;
}

function answerSection(spec: PostingSpec, asOf: Date): Html {
  const examples = answerExamples(spec, new Date(asOf.getTime() + 60_000));
  return html`<section id="answers">
<h2>Answers</h2>
${spec.isAlways200 ? html`<p><strong>Your answers have HTTP status 200, whatever happened.</strong> The status shown here stands in the header <code>X-Status-Code</code>.</p>` : ''}
<p>Decide by <code>status</code>, and by <code>code</code> where you need to know more. <code>price</code> is what you earn, as a decimal text. Send the consumer of a sold lead on to <code>redirectUrl</code>, with their own browser, right after the answer. Members may be added in time.</p>
${spec.maxSales > 1 ? html`<p>A lead may be sold to ${spec.maxSales} buyers: the <code>price</code> of a sold lead is the sum of what each of them brings you.${spec.isTerse ? '' : html` Of a ping, <code>price</code> is what the first one brings, and <code>bids</code> names what each would.`}</p>` : ''}
${examples.map(
  (one) => html`<details open><summary>${one.title} <span class="quiet">${one.answer.status}, HTTP ${one.statusCode}</span></summary>
<pre tabindex="0">${JSON.stringify(one.answer, null, 2)}</pre>
${one.title === 'Sold' || one.answer.bids ? html`<p class="quiet">The same as XML:</p><pre tabindex="0">${asXml(one)}</pre>` : ''}
</details>`,
)}
</section>`;
}

function refusalSection({ pingsPerMinute, hasAddressList }: PostingSpec): Html {
  const shown = Object.entries(REFUSALS).filter(
    ([code]) => (code !== 'ping_rate_limited' || pingsPerMinute !== null) && (code !== 'address_refused' || hasAddressList),
  );
  return html`<section id="refusals">
<h2>Error codes</h2>
<p>A call that cannot be taken has one of these in <code>code</code>. Below 500 something about the call is to be put right; with 429 and above the same call may be sent again, after <code>retry_after</code> seconds where it is given.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Error codes"><table>
<thead><tr>${HEAD}Code</th>${HEAD}HTTP</th>${HEAD}What to do</th></tr></thead>
<tbody>${shown.map(([code, { statusCode, advice }]) => html`<tr><td><code>${code}</code></td><td>${statusCode}</td><td>${advice}</td></tr>`)}</tbody>
</table></div>
</section>`;
}

function sampleSection(spec: PostingSpec): Html {
  return html`<section id="samples">
<h2>Samples</h2>
<p>Each posts a test lead and prints the answer. Take <code>test</code> out to post a real one.</p>
${codeSamples(spec).map(
  ({ language, note, code }) => html`<details open><summary>${language}</summary>
<p class="quiet">${note}</p>
<pre tabindex="0" data-language="${language}">${code}</pre>
</details>`,
)}
</section>`;
}

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#17212e, #e6ebf1); --quiet: light-dark(#546173, #9fb0c0); --paper: light-dark(#f4f6f8, #0f1720);
  --card: light-dark(#fff, #16212c); --line: light-dark(#dde3ea, #2a3947); --accent: light-dark(#0b5f80, #6cc5e6); font: 16px/1.55 system-ui, sans-serif; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .75rem; }
h2 { font-size: 1.2rem; margin: 0 0 .5rem; }
.kicker { margin: 0; color: var(--quiet); font-weight: 600; }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 0 0 1rem; }
.facts dt { color: var(--quiet); font-size: .8125rem; }
.facts dd { margin: 0; font-weight: 600; }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav a { padding: .25rem 0; }
section { margin-top: 1.25rem; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; scroll-margin-top: 1rem; }
p { margin: 0 0 .75rem; }
.quiet { color: var(--quiet); font-size: .875rem; }
.scroll { overflow-x: auto; margin: 0 0 .75rem; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th { text-align: left; color: var(--quiet); font-size: .8125rem; }
th, td { padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line); vertical-align: top; }
thead th { border-top: 0; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
td code, p code { overflow-wrap: anywhere; }
pre { overflow-x: auto; margin: 0 0 .75rem; padding: .75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--paper); }
summary { cursor: pointer; padding: .35rem 0; font-weight: 600; }
details .quiet { font-weight: 400; }
@media print {
  :root { color-scheme: light; font-size: 11pt; }
  body { background: none; }
  main { max-width: none; padding: 0; }
  nav { display: none; }
  section { border: 0; border-radius: 0; padding: 0; background: none; }
  tr, pre { break-inside: avoid; }
  pre { white-space: pre-wrap; }
}
`;
