/** Whether browsers reach the proxy by TLS, and for how long its certificate is good: for the domain, and for the sub-domains that organizations have. */
import { connect } from 'node:tls';
import type { Config } from '#server/kit/config.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

const WITHIN_MS = 5_000;
const DAY_MS = 86_400_000;
const RENEWED_BEFORE_DAYS = 14;

/** Instant until which the certificate shown for `name` is good. Rejects with a code where nobody answers by TLS, or it is not to be trusted. */
export type Dial = (name: string) => Promise<number>;

export async function lookAtCertificate(
  { appEnv, rootDomain }: Pick<Config, 'appEnv' | 'rootDomain'>,
  dial: Dial = dialHttps(),
  now = Date.now(),
): Promise<Finding[]> {
  if (appEnv !== 'production' || rootDomain === 'localhost') return [ok('Certificates are of interest in production.')];
  const found = [
    await lookAtName(rootDomain, rootDomain, dial, now),
    await lookAtName(`doctor.${rootDomain}`, `Sub-domains of ${rootDomain}`, dial, now),
  ];
  return found.every(({ level }) => level === 'ok') ? found.slice(0, 1) : found;
}

async function lookAtName(name: string, shown: string, dial: Dial, now: number): Promise<Finding> {
  try {
    const until = await dial(name);
    const days = Math.floor((until - now) / DAY_MS);
    const said = `The certificate of ${name} is good until ${new Date(until).toISOString().slice(0, 10)}.`;
    return days < RENEWED_BEFORE_DAYS ? warn(said, `Renew it: ${days} days are left, and nobody gets in after them.`) : ok(said);
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    if (code === 'CERT_HAS_EXPIRED') return bad(`The certificate of ${name} is over.`, 'Renew it: browsers let nobody in.');
    if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
      return bad(
        `The certificate shown for ${name} is not for it.`,
        'Let it name the domain and *. of it: organizations live on sub-domains.',
      );
    if (UNREACHED.includes(code))
      return warn(
        `${shown}: nobody answers by TLS (${code}).`,
        'Look at the proxy, or look from another machine where this one cannot reach it.',
      );
    return bad(
      `The certificate of ${name} is not trusted (${code}).`,
      'Take one of an authority that browsers trust, with the chain that comes with it.',
    );
  }
}

const UNREACHED = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT'];

interface Where {
  host?: string;
  port?: number;
  ca?: string;
}

/** As a browser would. `where`: another place to call than the name's own, and another authority to trust. */
export function dialHttps({ host, port = 443, ca }: Where = {}): Dial {
  return (name) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: host ?? name, port, servername: name, ...(ca !== undefined && { ca }) }, () => {
        resolve(Date.parse(socket.getPeerCertificate().valid_to));
        socket.destroy();
      });
      socket.setTimeout(WITHIN_MS, () => socket.destroy(Object.assign(new Error('No answer in time.'), { code: 'ETIMEDOUT' })));
      socket.on('error', reject);
    });
}
