/** The simulated buyers and services over HTTP: POST /{character}/{buyerSlug}/{ping|post}. A thin shell around the characters. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ledger, openLedger } from './ledger.ts';
import type { MarketAnswer, MarketSettings } from './market-answer.ts';
import { readRequest } from './read-request.ts';
import { askCharacter, readMarketPath, type SimulatedBuyer } from './simulate-delivery.ts';

export interface MarketOptions extends MarketSettings {
  /** 0 takes any free port. */
  port: number;
  seed: string | number;
  host?: string;
  /** Multiplies every delay; 0 answers at once. 1 by default. */
  pace?: number;
  /** JSON lines of what was bought. */
  ledgerPath?: string;
}
export interface Market {
  /** http://host:port */
  baseUrl: string;
  close(): Promise<void>;
}

const MAX_BODY = 256 * 1024;

/** Resolves once it listens; rejects when the port is taken. */
export async function startMarket(options: MarketOptions): Promise<Market> {
  const ledger = options.ledgerPath === undefined ? undefined : openLedger(options.ledgerPath);
  const server = createServer((request, response) => void receive(request, response, options, ledger));
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(options.port, host, resolve));
  return { baseUrl: `http://${host}:${(server.address() as AddressInfo).port}`, close: () => closeMarket(server, ledger) };
}

function closeMarket(server: Server, ledger: Ledger | undefined): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      ledger?.close();
      resolve();
    });
    server.closeAllConnections();
  });
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  options: MarketOptions,
  ledger: Ledger | undefined,
): Promise<void> {
  if (request.url === '/healthz') return sayHealth(response, options);
  const place = readMarketPath(request.url ?? '');
  const body = await readBody(request);
  if (!place || request.method !== 'POST' || body === undefined) return void response.writeHead(place ? 405 : 404).end();
  const { character, buyerSlug, leg } = place;
  const contentType = request.headers['content-type'] ?? '';
  const buyer: SimulatedBuyer = { ...options, character, buyerSlug };
  const decided = askCharacter(buyer, leg, contentType, body);
  await sleep(decided.delayMs * (options.pace ?? 1));
  if (decided.kind === 'answer' && decided.sold) {
    ledger?.write({ character, buyerSlug, leadId: readRequest(contentType, body)?.lead_id ?? '', price: decided.sold.price });
  }
  reply(response, decided);
}

/** Which market this is, for whoever looks for its own. */
function sayHealth(response: ServerResponse, { seed }: MarketOptions): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ market: true, seed }));
}

/** Undefined when it is too large or breaks off. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += (chunk as Buffer).length;
      if (size > MAX_BODY) return undefined;
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return undefined;
  }
}

function reply(response: ServerResponse, decided: MarketAnswer): void {
  if (decided.kind === 'answer') response.writeHead(decided.status, decided.headers).end(decided.body);
  else if (decided.how === 'reset') response.socket?.resetAndDestroy();
}
