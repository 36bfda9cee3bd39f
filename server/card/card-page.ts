/** The page of a card (account §2): whole without a script. */
import { renderSVG } from 'uqr';
import { designOf } from '#contract/card-design.ts';
import { type Source, withSource } from '#contract/visit-source.ts';
import { Html, html } from '#server/kit/html.ts';
import type { Picture, PublicCard } from './card.sql.ts';
import { iconOf } from './icon.ts';
import { page, pathOf } from './page.ts';

/** Where a card stands for good, for those who come from elsewhere: at its organization's own host. */
export interface CardAddresses {
  card: string;
  lander: string;
  picture: string | undefined;
}

/** Account §4: without any of these it is no card. */
export const isCard = ({ name, email, phone }: Pick<PublicCard, 'name' | 'email' | 'phone'>): boolean => Boolean(name || email || phone);

/** `source`: where the visit came from, which the lander is told. `picture`: one that is small enough to stand in the page. */
export function cardPage(card: PublicCard, at: CardAddresses, source: Source, picture?: Picture): string {
  const design = designOf(card.designKey, card.designColor);
  const work = [card.title, card.company].filter(Boolean).join(', ');
  const description = work ? `${card.name}, ${work}` : `The business card of ${card.name}`;
  const head = {
    title: work ? `${card.name} – ${work}` : card.name,
    ...{ description, url: at.card, picture: at.picture, design, manifest: `/drawcard/card/${card.id}/app.webmanifest` },
  };
  const body = html`<main class="card">
<header class="card-head">
${at.picture ? html`<img class="avatar" src="${picture ? `data:${picture.type};base64,${picture.bytes.toString('base64')}` : pathOf(at.picture)}" alt="" width="112" height="112">` : html`<span class="avatar initials" aria-hidden="true">${initialsOf(card.name)}</span>`}
<h1 dir="auto">${card.name}</h1>
${card.title && html`<p class="title" dir="auto">${card.title}</p>`}
${card.company && html`<p class="company" dir="auto">${card.company}</p>`}
</header>
<ul class="ways">
${card.phone && way('phone', callTo(card.phone), 'Call', card.phone)}
${card.email && way('email', mailTo(card.email), 'E-mail', card.email)}
${card.website && way('website', card.website, 'Website', card.website.replace(/^https?:\/\//i, '').replace(/\/$/, ''))}
</ul>
${card.additionalInformation && html`<section class="about"><h2>About</h2><p dir="auto">${card.additionalInformation}</p></section>`}
${card.socialMedia.length > 0 && html`<ul class="social" aria-label="Elsewhere">${card.socialMedia.map(social)}</ul>`}
<div class="actions">
${card.hasLander && html`<a class="button main" href="${withSource(pathOf(at.lander), source)}">Get in touch</a>`}
<a class="button" href="/drawcard/card/${card.id}/contact.vcf" download="${card.name}.vcf">Save contact</a>
<button class="button" type="button" data-share hidden>Share</button>
</div>
<details class="code"><summary>Show a code to scan</summary>${new Html(renderSVG(at.card, { border: 2 }))}</details>
</main>`;
  return page(head, body, true);
}

const mailTo = (address: string): string => `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`;
const callTo = (number: string): string => `tel:${number.replaceAll(/[^\d+]/g, '')}`;

function way(kind: string, href: string, label: string, shown: string): Html {
  return html`<li><a href="${href}" ${kind === 'website' && new Html('rel="noopener nofollow"')}>${iconOf(kind)}<span><small>${label}</small>${shown}</span></a></li>`;
}

function social({ kind, url, label }: PublicCard['socialMedia'][number]): Html {
  const name = label || NAMES[kind] || url.replace(/^https?:\/\//i, '');
  const href = kind === 'email' ? mailTo(url) : kind === 'phone' ? callTo(url) : url;
  return html`<li><a href="${href}" aria-label="${name}" title="${name}" rel="noopener nofollow">${iconOf(kind)}</a></li>`;
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ instagram: 'Instagram', facebook: 'Facebook', linkedin: 'LinkedIn', twitter: 'X (Twitter)', youtube: 'YouTube' },
  ...{ tiktok: 'TikTok', github: 'GitHub', website: 'Website', email: 'E-mail', phone: 'Phone' },
};

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
