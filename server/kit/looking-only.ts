import type { FastifyRequest } from 'fastify';

/** Who only looks at the head of a page, or fetches it ahead or for a preview, is a program: nobody looked, and nobody followed. */
export function isLookingOnly({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']].flat().join(' ');
  return method === 'HEAD' || /prefetch|preview|prerender/i.test(purposes);
}

/** Nobody has looked where a program did: previews, search engines and libraries say who they are, and every browser says something. */
export const isProgram = (request: Pick<FastifyRequest, 'method' | 'headers'>): boolean =>
  isLookingOnly(request) ||
  /^$|bot|crawl|spider|preview|slurp|facebookexternalhit|whatsapp|telegram|^(curl|wget|python|go-http-client|java|okhttp|axios|node)\b/i.test(
    request.headers['user-agent'] ?? '',
  );
