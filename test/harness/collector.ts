/** A collector of traces that tests script: a real HTTP server that takes OTLP as JSON and remembers every span it got. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, unknown>;
  links?: { traceId: string; spanId: string }[];
  status?: { code: number };
}

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** As they came. */
  requests: { path: string; headers: Record<string, unknown>; body: string }[];
  /** How the next requests are answered: an HTTP code, or not at all. */
  answer(next: number | 'never'): void;
  close(): Promise<void>;
}

type Told = { key: string; value: Record<string, unknown> };
const read = (told: Told[]) => Object.fromEntries(told.map(({ key, value }) => [key, Object.values(value)[0]]));

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const requests: Collector['requests'] = [];
  let next: number | 'never' = 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    requests.push({ path: request.url!, headers: request.headers, body });
    if (next === 'never') return;
    if (next === 200)
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const { spans: told } of scopeSpans)
          spans.push(...told.map((one: CollectedSpan & { attributes: Told[] }) => ({ ...one, attributes: read(one.attributes) })));
    response.writeHead(next, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    answer(said) {
      next = said;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
