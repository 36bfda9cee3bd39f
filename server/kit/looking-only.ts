import type { FastifyRequest } from 'fastify';

/** Who only looks at the head of a page, or fetches it ahead or for a preview, is a program: nobody looked, and nobody followed. */
export function isLookingOnly({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']].flat().join(' ');
  return method === 'HEAD' || /prefetch|preview|prerender/i.test(purposes);
}
