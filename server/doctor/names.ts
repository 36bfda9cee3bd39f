/** Whether the names lead here by which organizations are reached. */
import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import type { Config } from '#server/kit/config.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

const WITHIN_MS = 5_000;

/** Resolves to nothing of interest; rejects where there is no such name. */
export type Resolve = (name: string) => Promise<unknown>;

export async function lookAtNames(
  { appEnv, rootDomain }: Pick<Config, 'appEnv' | 'rootDomain'>,
  resolve: Resolve = lookup,
): Promise<Finding[]> {
  if (appEnv !== 'production' || rootDomain === 'localhost') return [ok('Names are of interest in production.')];
  // Nobody's: what is known of it is known of all.
  const anyone = `doctor-${randomBytes(4).toString('hex')}.${rootDomain}`;
  const [root, any] = await Promise.all([whyUnknown(rootDomain, resolve), whyUnknown(anyone, resolve)]);
  const found: Finding[] = [];
  if (root === 'time')
    return [warn('No name server answers this machine in time.', 'Look at its resolver; buyers are called by name as well.')];
  if (root) found.push(bad(`${rootDomain} leads nowhere (${root}).`, 'Let its DNS record name your proxy.'));
  if (any)
    found.push(
      bad(
        `Sub-domains of ${rootDomain} lead nowhere (${any}).`,
        `Add a DNS record for *.${rootDomain}: organizations live on sub-domains.`,
      ),
    );
  return found.length > 0 ? found : [ok(`${rootDomain} and its sub-domains lead somewhere.`)];
}

async function whyUnknown(name: string, resolve: Resolve): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((done) => {
    timer = setTimeout(() => done('time'), WITHIN_MS);
  });
  const asked = resolve(name).then(
    () => undefined,
    (error: { code?: string }) => error.code ?? 'unknown',
  );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
