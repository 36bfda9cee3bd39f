/** The machine and the settings that a node starts with. */
import { existsSync, readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import type { Config } from '#server/kit/config.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

const GIB = 2 ** 30;
const NODE_NEEDED = 24;
const FILES_NEEDED = 4_096;
const MAIL_WITHIN_MS = 5_000;

export function lookAtSettings(config: Config): Finding[] {
  const found: Finding[] = [];
  const isProduction = config.appEnv === 'production';
  if (!isProduction)
    return [
      warn(
        `APP_ENV is ${config.appEnv}: no second factor is asked for, and mail may be read in the mailbox of the installation.`,
        'Set APP_ENV=production where real leads are sold.',
      ),
    ];
  found.push(ok('APP_ENV is production.'));
  if (config.rootDomain === 'localhost')
    found.push(
      bad(
        'ROOT_DOMAIN is localhost: links in mails lead nowhere, and organizations have no address.',
        'Set ROOT_DOMAIN to your own domain.',
      ),
    );
  found.push(
    ok(
      config.metricsToken
        ? 'Prometheus may read /metrics by METRICS_TOKEN.'
        : '/metrics is closed: set METRICS_TOKEN to let Prometheus read it.',
    ),
  );
  if (config.isSecretWeak)
    found.push(
      bad(
        'SECRET_KEY is made of a few letters over and over: it can be guessed.',
        'Make one by "openssl rand -base64 48" and change it as docs/operate/keys.md says.',
      ),
    );
  if (config.masterKey.alsoOpens)
    found.push(
      warn(
        'SECRET_KEY_ALSO is set: a second secret opens what is there.',
        'End the change: npm run rotate-keys, then start nodes without it.',
      ),
    );
  if (config.trustedProxies.length === 0)
    found.push(
      warn(
        'TRUSTED_PROXIES is empty: behind a proxy every caller would look like the proxy, and share its limits.',
        'Set it to the address of the proxy, or leave it empty where there is none.',
      ),
    );
  return found;
}

export async function lookAtMachine(config: Config, limits = '/proc/self/limits', nodeVersion = process.versions.node): Promise<Finding[]> {
  const found: Finding[] = [];
  const major = Number(nodeVersion.split('.')[0]);
  found.push(
    major >= NODE_NEEDED
      ? ok(`Node ${nodeVersion}.`)
      : bad(`Node ${nodeVersion} is too old.`, 'Start by "npm start", which brings the right one along.'),
  );
  const files = openFiles(limits);
  if (files !== undefined && files < FILES_NEEDED)
    found.push(
      warn(
        `${files} files and connections may be open at once; each lead under way takes some.`,
        `Raise the limit to ${FILES_NEEDED} or more (ulimit -n, LimitNOFILE).`,
      ),
    );
  if (existsSync(config.dataDir)) {
    const { bavail, bsize } = await statfs(config.dataDir);
    found.push(roomAt(config.dataDir, bavail * bsize));
  }
  return found;
}

export function roomAt(folder: string, bytes: number): Finding {
  const said = `${(bytes / GIB).toFixed(1)} GiB are free at ${folder}.`;
  if (bytes < GIB) return bad(said, 'Make room: without it no lead can be stored.');
  return bytes < 5 * GIB ? warn(said, 'Make room soon.') : ok(said);
}

function openFiles(limits: string): number | undefined {
  if (!existsSync(limits)) return undefined;
  const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync(limits, 'utf8')) ?? [];
  return most === undefined ? undefined : Number(most);
}

export async function lookAtMail({ smtpUrl, appEnv }: Config): Promise<Finding[]> {
  if (!smtpUrl)
    return appEnv === 'production'
      ? [bad('SMTP_URL is not set: nobody can be invited, and no lead goes out by mail.', 'Set SMTP_URL to your mail server.')]
      : [ok('No mail server is set; mail stands at /mailbox.')];
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: MAIL_WITHIN_MS,
    greetingTimeout: MAIL_WITHIN_MS,
    socketTimeout: MAIL_WITHIN_MS,
  });
  try {
    await transport.verify();
    return [ok('The mail server takes mail.')];
  } catch (error) {
    const { code = 'no answer' } = error as { code?: string };
    return [
      bad(
        `The mail server does not take mail (${code}).`,
        'Look at SMTP_URL, its user and password, and whether this machine may reach it.',
      ),
    ];
  } finally {
    transport.close();
  }
}
