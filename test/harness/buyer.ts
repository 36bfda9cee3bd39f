/** A buyer that tests script: a real HTTP server on loopback that remembers every call it got. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BuyerCall {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  at: number;
}

export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
  /** Reads the request and never answers. */
  hang?: boolean;
  /** Closes the connection without an answer. */
  reset?: boolean;
}

export interface ScriptedBuyer {
  url: string;
  port: number;
  calls: BuyerCall[];
  answer(script: (call: BuyerCall) => ScriptedAnswer | Promise<ScriptedAnswer>): void;
  close(): Promise<void>;
}

export const ACCEPT: ScriptedAnswer = {
  body: JSON.stringify({ result: 'accepted', price: '20.00', redirect: 'https://buyer.example/thanks?id=1', id: 'B-1' }),
};
export const REJECT: ScriptedAnswer = { body: JSON.stringify({ result: 'rejected', reason: 'not wanted' }) };

export async function startBuyer(
  script: (call: BuyerCall) => ScriptedAnswer | Promise<ScriptedAnswer> = () => ACCEPT,
): Promise<ScriptedBuyer> {
  const calls: BuyerCall[] = [];
  let current = script;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      at: Date.now(),
    };
    calls.push(call);
    await send(response, await current(call));
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    calls,
    answer: (next) => {
      current = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function send(response: ServerResponse, answer: ScriptedAnswer): Promise<void> {
  if (answer.hang) return;
  if (answer.delayMs) await new Promise((resolve) => setTimeout(resolve, answer.delayMs));
  if (answer.reset) {
    response.destroy();
    return;
  }
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
  response.end(answer.body ?? '');
}
