/**
 * Ten buyers of mixed temper in a process of their own, which keep a ledger: every purchase is on their disk before its answer leaves. What
 * they bought is decided by lead, buyer and seed alone. Arguments: ledger file, seed.
 */
import { createHash } from 'node:crypto';
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LedgerLine {
  leadId: string;
  buyer: number;
}

interface Temper {
  /** Share of leads it buys. */
  buys: number;
  delayMs: number;
  /** Share of its purchases after which it cuts the connection, or answers 500, or answers after its time limit. */
  cuts?: number;
  fails?: number;
  late?: number;
}

/** Its tier waits this long for it. */
export const TIME_LIMIT_MS = 400;

export const TEMPERS: readonly Temper[] = [
  { buys: 0.05, delayMs: 0 },
  { buys: 0.1, delayMs: 5 },
  { buys: 0.2, delayMs: 20 },
  { buys: 0.1, delayMs: 60 },
  { buys: 0.2, delayMs: 2, cuts: 0.2 },
  { buys: 0.2, delayMs: 10, fails: 0.2 },
  { buys: 0.1, delayMs: 5, late: 0.2 },
  { buys: 0, delayMs: 0 },
  { buys: 0.3, delayMs: 30 },
  { buys: 0.8, delayMs: 10 },
];

if (import.meta.main) serve(process.argv[2]!, process.argv[3]!);

function serve(file: string, seed: string): void {
  const ledger = openSync(file, 'a');
  const keep = (line: LedgerLine) => {
    writeSync(ledger, `${JSON.stringify(line)}\n`);
    fdatasyncSync(ledger);
  };
  const server = createServer(async (request, response) => {
    const buyer = Number(/\d+/.exec(request.url!)![0]);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { lead_id: leadId } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { lead_id: string };
    const temper = TEMPERS[buyer]!;
    const [buys, mood] = sharesOf(`${seed} ${buyer} ${leadId}`);
    setTimeout(() => {
      if (buys >= temper.buys) return answer(response, 200, { result: 'rejected', reason: 'not wanted' });
      keep({ leadId, buyer });
      const accepted = { result: 'accepted', price: '20.00', id: `${buyer}-${leadId}` };
      if (mood < (temper.cuts ?? 0)) return void response.destroy();
      if (mood < (temper.fails ?? 0)) return answer(response, 500, { error: 'out of order' });
      if (mood < (temper.late ?? 0)) return void setTimeout(() => answer(response, 200, accepted), TIME_LIMIT_MS * 2);
      answer(response, 200, accepted);
    }, temper.delayMs);
  });
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

function answer(response: ServerResponse, status: number, body: object): void {
  if (!response.destroyed) response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Two numbers from 0 to 1 that are always the same for the same text. */
function sharesOf(text: string): [number, number] {
  const digest = createHash('sha256').update(text).digest();
  return [digest.readUInt32BE(0) / 2 ** 32, digest.readUInt32BE(4) / 2 ** 32];
}
