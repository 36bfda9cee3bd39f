/** `npm start`: the product on one machine. Prints where it is, who can sign in and a curl that sells a lead. */
import { type ChildProcess, fork } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { DemoSignIn } from '#contract/demo.ts';
import { type DemoWorld, seedDemoWorld } from '#db/seed/demo-world.ts';
import { type Installation, openInstallation, reachDatabase } from './installation.ts';
import { type Config, ConfigError, readConfig } from './kit/config.ts';

try {
  await start(readConfig());
} catch (error) {
  // One plain line for what an operator can mend; the whole story for what only we can.
  console.error(error instanceof ConfigError ? `Sluice cannot start. ${error.message}` : error);
  process.exit(1);
}

async function start(config: Config): Promise<void> {
  const database = await reachDatabase(config);
  let market: ChildProcess | undefined;
  try {
    const demo = config.seed === 'demo' ? await seedDemoWorld(config, database.url, (text) => console.log(text)) : undefined;
    if (demo) market = await startMarket(demo);
    const installation = await openInstallation(withMarket(config, demo), database.url, { demoSignIns: demo?.signIns ?? [] });
    stopOnSignal(installation, market, database);
    await installation.app.listen({ port: config.port, host: config.host });
    console.log(welcome(config, installation, demo));
  } catch (error) {
    market?.kill();
    await database.leave().catch(() => {});
    throw error;
  }
}

/** The demo buyers live on this machine, so their one address is opened to outbound calls, and nothing else. */
function withMarket(config: Config, demo: DemoWorld | undefined): Config {
  return demo ? { ...config, outboundAllow: [...config.outboundAllow, `127.0.0.1:${demo.marketPort}`] } : config;
}

/** The demo buyers are a program of their own: sales to them are real conversations over HTTP. A second node finds them running. */
async function startMarket(demo: DemoWorld): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'market', 'main.ts'), [], {
    env: { ...process.env, MARKET_PORT: String(demo.marketPort), MARKET_SEED: String(demo.marketSeed) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await new Promise<void>((resolve) => {
    child.once('message', () => resolve());
    child.once('exit', () => resolve());
  });
  return child;
}

function stopOnSignal(installation: Installation, market: ChildProcess | undefined, database: { leave(): Promise<void> }): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(130);
    stopping = true;
    try {
      await installation.close();
      market?.kill();
      await database.leave();
    } finally {
      process.exit(0);
    }
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function welcome(config: Config, installation: Installation, demo: DemoWorld | undefined): string {
  const host = config.host === '127.0.0.1' || config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  const url = `http://${host}:${portOf(installation)}`;
  const lines = ['', `Sluice is ready at ${url}`, `  API documentation  ${url}/docs`];
  if (demo) lines.push(...signInLines(demo.signIns), '', 'Sell a lead:', '', demo.curl(url));
  return `${lines.join('\n')}\n`;
}

/** The port in use; another than the one asked for when that was 0. */
function portOf(installation: Installation): number {
  return (installation.app.server.address() as AddressInfo).port;
}

function signInLines(signIns: DemoSignIn[]): string[] {
  return ['', 'Sign in with', ...signIns.map((one) => `  ${one.email}  ${one.password}   ${one.label}`)];
}
