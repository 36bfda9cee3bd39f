/** The simulated buyer market as a process of its own. MARKET_PORT 4100, MARKET_HOST 127.0.0.1, MARKET_SEED demo, MARKET_PACE 1, MARKET_LEDGER. */
import { answersAsMarket } from '#db/seed/market-port.ts';
import { type Market, startMarket } from './market.ts';

const { MARKET_PORT, MARKET_HOST, MARKET_SEED, MARKET_PACE, MARKET_LEDGER } = process.env;
const port = Number(MARKET_PORT ?? 4100);
const seed = MARKET_SEED ?? 'demo';
const market = await startMarket({
  port,
  seed,
  pace: Number(MARKET_PACE ?? 1),
  ...(MARKET_HOST === undefined ? {} : { host: MARKET_HOST }),
  ...(MARKET_LEDGER === undefined ? {} : { ledgerPath: MARKET_LEDGER }),
}).catch(leaveItToTheOther);
console.log(`Simulated buyers at ${market.baseUrl}`);
// Whoever started us as a child waits for this word, and takes us along when it goes, however it goes.
process.send?.({ listening: market.baseUrl });
process.once('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void market.close().then(() => process.exit(0)));

/** Two nodes may start the same market at one moment: the second finds it running, and that is all it wanted. */
async function leaveItToTheOther(error: NodeJS.ErrnoException): Promise<Market> {
  if (error.code !== 'EADDRINUSE') throw error;
  if (await answersAsMarket(port, seed)) process.exit(0);
  console.error(`MARKET_PORT: ${port} is taken by another program; the simulated buyers cannot listen there.`);
  process.exit(1);
}
