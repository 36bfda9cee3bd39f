/** The view of an address that names no card and no lander (account §8), whatever stands in it. */
import type { FastifyReply } from 'fastify';
import { designOf } from '#contract/card-design.ts';
import type { Html } from '#server/kit/html.ts';
import { notFoundBody, page } from './page.ts';

export type PublicPage = 'card' | 'lander';

/** Which page a path of ours is meant for; undefined for any other path. */
export function publicPageOf(path: string): PublicPage | undefined {
  const found = /^\/drawcard\/([^/?]*)/i.exec(path);
  return found ? (found[1] === 'card' ? 'card' : 'lander') : undefined;
}

/** A page of nobody in particular. */
export const barePage = (title: string, origin: string, body: Html): string =>
  page({ title, description: '', url: origin, design: designOf('professional', '') }, body, false);

export const nothingPage = (what: PublicPage, origin: string): string =>
  barePage(what === 'card' ? 'Card not found' : 'Page not found', origin, notFoundBody(what));

export function sendPage(reply: FastifyReply, code: 200 | 404 | 429 | 503, text: string) {
  return reply
    .code(code)
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .serializer((body) => body as never)
    .send(text as never) as never;
}
