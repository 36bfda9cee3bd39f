/** `npm start`: the product on one machine. Prints where it is, who can sign in and a curl that sells a lead. */
import type { AddressInfo } from 'node:net';
import type { DemoSignIn } from '#contract/demo.ts';
import { type DemoWorld, seedDemoWorld } from '#db/seed/demo-world.ts';
import { type Installation, openInstallation, reachDatabase } from './installation.ts';
import { type Config, ConfigError, readConfig } from './kit/config.ts';
import { keepMarket } from './market/keep-market.ts';

/** What runs so far, and how to end it, the last started first. */
const ending: (() => Promise<unknown> | unknown)[] = [];
/** One Ctrl-C reaches us twice, from the terminal and through npm: only one that comes later means that somebody lost patience. */
const SAME_SIGNAL_MS = 1_500;

// The last resort: a promise that nobody listened to must not take the leads of everybody else with it.
process.on('unhandledRejection', (reason) => {
  console.error(`A failure was not expected: ${(reason as Error)?.name ?? 'unknown'} ${(reason as { code?: string })?.code ?? ''}`);
});

try {
  await start(readConfig());
} catch (error) {
  // One plain line for what an operator can mend; the whole story for what only we can.
  console.error(error instanceof ConfigError ? `Sluice cannot start. ${error.message}` : error);
  process.exit(1);
}

async function start(config: Config): Promise<void> {
  stopOnSignal();
  try {
    const database = await reachDatabase(config);
    ending.push(() => database.leave());
    const demo = config.seed === 'demo' ? await seedDemoWorld(config, database.url, (text) => console.log(text)) : undefined;
    if (demo) ending.push(await keepMarket(demo));
    const installation = await openInstallation(withMarket(config, demo), database.url, { demoSignIns: demo?.signIns ?? [] });
    ending.push(() => installation.close());
    await listen(installation, config);
    console.log(welcome(config, installation, demo));
  } catch (error) {
    await end();
    throw error;
  }
}

async function end(): Promise<void> {
  for (const one of ending.splice(0).reverse()) await Promise.resolve(one()).catch(() => {});
}

async function listen(installation: Installation, { host, port }: Config): Promise<void> {
  try {
    await installation.app.listen({ port, host });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') throw new ConfigError(`PORT: ${port} is taken by another program. Stop it, or set PORT to a free one.`);
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') throw new ConfigError(`HOST: there is no host ${host}.`);
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') throw new ConfigError(`HOST, PORT: ${host}:${port} cannot be listened on here.`);
    throw error;
  }
}

/** The demo buyers live on this machine, so their one address is opened to outbound calls, and nothing else. */
function withMarket(config: Config, demo: DemoWorld | undefined): Config {
  return demo ? { ...config, outboundAllow: [...config.outboundAllow, `127.0.0.1:${demo.marketPort}`] } : config;
}

function stopOnSignal(): void {
  let since: number | undefined;
  const stop = async () => {
    if (since !== undefined) {
      if (Date.now() - since > SAME_SIGNAL_MS) process.exit(130);
      return;
    }
    since = Date.now();
    console.log('Stopping: finishing what is under way ...');
    await end();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function welcome(config: Config, installation: Installation, demo: DemoWorld | undefined): string {
  const host = config.host === '127.0.0.1' || config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  const url = `http://${host}:${portOf(installation)}`;
  const lines = ['', `Sluice is ready at ${url}`, `  API documentation  ${url}/docs`];
  if (demo)
    lines.push(...signInLines(demo.signIns), '', `Sell a lead, and watch it at ${url}/#!/setup/us/payday/leads:`, '', demo.curl(url));
  return `${lines.join('\n')}\n`;
}

/** The port in use; another than the one asked for when that was 0. */
function portOf(installation: Installation): number {
  return (installation.app.server.address() as AddressInfo).port;
}

function signInLines(signIns: DemoSignIn[]): string[] {
  return ['', 'Sign in with', ...signIns.map((one) => `  ${one.email}  ${one.password}   ${one.label}`)];
}
