/**
 * The demo buyers are a program of their own: sales to them are real conversations over HTTP. Any number of nodes share one;
 * each looks every few seconds whether it still answers, and starts it when the node that ran it is gone.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { answersAsMarket } from '#db/seed/market-port.ts';

const LOOK_EVERY_MS = 2_000;

/** Resolves once the market answers. Returns how to stop looking, and the market with it when it is ours. */
export async function keepMarket(place: { marketPort: number; marketSeed: number }): Promise<() => void> {
  let child: ChildProcess | undefined;
  let looking = false;
  let stopped = false;
  async function look(): Promise<void> {
    // One that ended by an error of its own has said so, and would again.
    if (looking || (child && (child.exitCode === null ? child.signalCode === null : child.exitCode > 0))) return;
    looking = true;
    if (!(await answersAsMarket(place.marketPort, place.marketSeed)) && !stopped) child = await startMarket(place);
    looking = false;
  }
  await look();
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
    child?.kill();
  };
}

async function startMarket({ marketPort, marketSeed }: { marketPort: number; marketSeed: number }): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'main.ts'), [], {
    env: { ...process.env, MARKET_PORT: String(marketPort), MARKET_SEED: String(marketSeed) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Ctrl-C is for us: the buyers must answer until the last lead is done. They go when we go, however that is.
    detached: true,
  });
  await new Promise<void>((resolve) => {
    child.once('message', () => resolve());
    child.once('exit', () => resolve());
  });
  return child;
}
