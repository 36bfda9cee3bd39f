/** The simulated buyer market as a process of its own. MARKET_PORT 4100, MARKET_HOST 127.0.0.1, MARKET_SEED demo, MARKET_PACE 1, MARKET_LEDGER. */
import { startMarket } from './market.ts';

const { MARKET_PORT, MARKET_HOST, MARKET_SEED, MARKET_PACE, MARKET_LEDGER } = process.env;
const market = await startMarket({
  port: Number(MARKET_PORT ?? 4100),
  seed: MARKET_SEED ?? 'demo',
  pace: Number(MARKET_PACE ?? 1),
  ...(MARKET_HOST === undefined ? {} : { host: MARKET_HOST }),
  ...(MARKET_LEDGER === undefined ? {} : { ledgerPath: MARKET_LEDGER }),
});
console.log(`Simulated buyers at ${market.baseUrl}`);
// Whoever started us as a child waits for this word, and takes us along when it goes, however it goes.
process.send?.({ listening: market.baseUrl });
process.once('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void market.close().then(() => process.exit(0)));
