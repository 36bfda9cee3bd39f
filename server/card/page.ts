/** What the public pages share: head, colours, and the view of what is not there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CardDesign, gradientOf, inkOf } from '#contract/card-design.ts';
import { Html, html } from '#server/kit/html.ts';

/** In the page itself: a phone with a poor connection asks once, and paints (`npm run bench -- web`). */
const STYLE = new Html(readFileSync(join(import.meta.dirname, 'page.css'), 'utf8'));

export interface PageHead {
  title: string;
  description: string;
  /** Where the page stands for good. */
  url: string;
  picture?: string | undefined;
  design: CardDesign;
  manifest?: string | undefined;
}

/** The same address from within our pages, at whatever host they are looked at. */
export const pathOf = (address: string): string => new URL(address).pathname + new URL(address).search;

export function page(head: PageHead, body: Html, script: boolean): string {
  const { title, description, url, picture, design, manifest } = head;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${url}">
<meta property="og:type" content="profile">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
${picture && html`<meta property="og:image" content="${picture}">`}
<meta name="twitter:card" content="summary">
<meta name="theme-color" content="${design.colors[0]}">
${manifest && html`<link rel="manifest" href="${manifest}">`}
${manifest && picture && html`<link rel="apple-touch-icon" href="${pathOf(picture)}">`}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLE} :root { --gradient: ${new Html(gradientOf(design))}; --ink: ${new Html(inkOf(design))}; --first: ${new Html(design.colors[0])}; --font: ${new Html(design.font)}; }</style>
${script && html`<script src="/drawcard.js" defer></script>`}
</head>
<body class="style-${design.style}">
${body}
</body>
</html>
`.text;
}

/** Account §8: the not-found view. */
export const notFoundBody = (what: 'card' | 'lander'): Html => html`<main class="nothing">
<h1>${what === 'card' ? 'Card not found' : 'Page not found'}</h1>
<p>${what === 'card' ? 'There is no business card at this address, or it is not shown any more.' : 'There is no form at this address, or it is not shown any more.'} Ask whoever gave you the address for a new one.</p>
</main>`;

/** Too many pages were asked for (429), or ours cannot be written now (503). */
export const waitBody = (code: 429 | 503, seconds: number): Html => html`<main class="nothing">
<h1>Please wait a moment</h1>
<p>${code === 429 ? 'Too many pages were asked for from your network.' : 'This page cannot be shown right now.'} Open it again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.</p>
</main>`;
