/** The processes of a benchmark: nodes, buyers and bare servers, each in one of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

const children: ChildProcess[] = [];

export function killAll(): void {
  for (const child of children) child.kill('SIGKILL');
}

/** Resident bytes of a node (sluice.ts). */
export async function memoryOf(app: ChildProcess): Promise<number> {
  app.send('memory');
  const { rssBytes } = await messageOf<{ rssBytes: number }>(app);
  return rssBytes;
}

/** Starts a file of this folder; it says on which port it listens. */
export async function start(
  file: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(join(import.meta.dirname, file), args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: process.env.BENCH_PROFILE && file === 'sluice.ts' ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] : [],
  });
  children.push(child);
  const { port } = await messageOf<{ port: number }>(child);
  return { child, port };
}

function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null) => reject(new Error(`A process of the benchmark ended with ${code}.`));
    child.once('exit', gone);
    child.once('message', (message) => {
      child.off('exit', gone);
      resolve(message as T);
    });
  });
}
