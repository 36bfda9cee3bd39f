/** Where the simulated buyers can listen: a port of their own, so that two installations on one machine do not meet. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems lend to outgoing connections. */
const LOWEST = 20_000;
const HIGHEST = 29_999;
const TRIES = 200;

export async function chooseMarketPort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error('No port is free for the simulated buyers.');
}

/** Free for our market to take, or our market (of this installation, by its seed) is there already. */
export async function isMarketPortUsable(port: number, seed: number): Promise<boolean> {
  return (await isFree(port)) || (await answersAsMarket(port, seed));
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Whether a market with this seed answers there. */
export async function answersAsMarket(port: number, seed: number | string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(1_000) });
    const said = (await response.json()) as { market?: unknown; seed?: unknown };
    return said.market === true && String(said.seed) === String(seed);
  } catch {
    return false;
  }
}
