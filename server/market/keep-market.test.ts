import { fork } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { answersAsMarket, chooseMarketPort } from '#db/seed/market-port.ts';
import { keepMarket } from './keep-market.ts';
import { startMarket } from './market.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A market process of its own that is asked for a port which is taken. */
async function second(port: number, seed: number): Promise<{ code: number | null; said: string }> {
  const child = fork(join(import.meta.dirname, 'main.ts'), [], {
    execPath: join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'node'),
    env: { ...process.env, MARKET_PORT: String(port), MARKET_SEED: String(seed) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr!.on('data', (chunk) => (said += chunk));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, said };
}

describe('the simulated buyers on a port that is taken', () => {
  it('go quietly when it is they who are there already', async () => {
    const port = await chooseMarketPort();
    const market = await startMarket({ port, seed: 7 });
    endings.push(() => market.close());
    expect(await second(port, 7)).toEqual({ code: 0, said: '' });
  });

  it('say in one line that another program is there', async () => {
    const port = await chooseMarketPort();
    const other = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    endings.push(() => other.close());
    expect(await second(port, 7)).toEqual({
      code: 1,
      said: `MARKET_PORT: ${port} is taken by another program; the simulated buyers cannot listen there.\n`,
    });
  });
});

describe('a node that keeps the simulated buyers', () => {
  it('uses those that run, starts them again when they are gone, and takes its own along', async () => {
    const [port, seed] = [await chooseMarketPort(), 7];
    const another = await startMarket({ port, seed });
    const leave = await keepMarket({ marketPort: port, marketSeed: seed });
    endings.push(leave);
    await another.close();
    expect(await answersAsMarket(port, seed)).toBe(false);
    await expect.poll(() => answersAsMarket(port, seed), { timeout: 15_000 }).toBe(true);
    leave();
    await expect.poll(() => answersAsMarket(port, seed), { timeout: 5_000 }).toBe(false);
  });
});
