/** What Sluice is made of (docs/security/supply-chain.md): locked, licensed, and without secrets of anybody. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALLOWED, DOCUMENT, drawDocument, listPackages } from '../../bin/licences.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string>
> & {
  allowScripts: Record<string, boolean>;
};
const lock = JSON.parse(read('package-lock.json')) as {
  lockfileVersion: number;
  packages: Record<string, Record<string, Record<string, string> | undefined>>;
};

describe('packages', () => {
  it('each is wanted in one exact version, and the lock file knows the same', () => {
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
      for (const [name, version] of Object.entries(manifest[kind]))
        expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+[\w.-]*$/)]);
      expect(lock.packages['']![kind]).toEqual(manifest[kind]);
    }
  });

  it('each comes from the registry, as the sum says that the lock file keeps', () => {
    const packages = listPackages();
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(({ link, resolved }) => link || /^(git|file|http:)/.test(resolved))).toEqual([]);
    expect(packages.filter(({ integrity }) => !integrity.startsWith('sha512-')).map(({ name }) => name)).toEqual([]);
  });

  it('none runs a script of its own where it is installed but those that are named', () => {
    const named = Object.keys(manifest.allowScripts);
    // It builds a faster part of itself, and does without: the image runs no scripts at all.
    const without = ['ssh2', 'cpu-features'];
    const wrong = listPackages().filter(({ name, hasInstallScript }) => hasInstallScript && ![...named, ...without].includes(name));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('each stands under a licence that is agreed to, and all are listed (npm run licences)', () => {
    const wrong = listPackages().filter(({ licence }) => !ALLOWED.includes(licence));
    expect(wrong.map(({ name, licence }) => `${name}: ${licence || 'none'}`)).toEqual([]);
    expect(read(DOCUMENT)).toBe(drawDocument());
  });
});

/** What a secret looks like, whoever's it is. */
const KINDS: Record<string, RegExp> = {
  'a private key': /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}/,
  'a key of a cloud': /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{35}\b/,
  'a token of a forge': /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,}|glpat-[\w-]{20}|npm_[A-Za-z0-9]{36})\b/,
  'a token of a service': /\b(?:xox[abprs]-[\w-]{20,}|sk_live_\w{20,}|rk_live_\w{20,}|SG\.[\w-]{22}\.[\w-]{43})\b/,
  'a signed token': /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20,}\b/,
  'an address with a password':
    /\b(?:postgres|postgresql|smtps?|https?|sftp|redis|amqp):\/\/[^\s:/@'"`$<{]+:(?!password\b|wrong\b|secret\b|\$)[^\s/@'"`$<{]{12,}@/,
};
/** A word that promises a secret, and a text that looks like chance. */
const ASSIGNED = /\b\w*(?:secret|passw(?:or)?d|token|api_?key|private_?key)\w*["']?\s*[:=]\s*["'`]([A-Za-z0-9+/_=-]{20,})["'`]/gi;
const LOOKS_LIKE_CHANCE = 3.9;

/** Made up, and known to be: secrets of the demo world and of tests, which open nothing elsewhere. */
const MADE_UP = new Set(['local-only-secret-not-for-production', 'abcdefghijklmnopqrstuvwxyz0123456789']);

/** The key of a certificate for localhost, which tests of outbound calls speak TLS with. */
const MADE_FOR_TESTS = ['server/delivery/outbound.fixture.ts: a private key', 'server/doctor/certificate.fixture.ts: a private key'];

const LEFT_OUT = /^(?:\.git|node_modules|dist|\.data|coverage|test-results)$/;
function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.test(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
}

function entropyOf(text: string): number {
  const counts = Map.groupBy(text, (letter) => letter);
  return [...counts.values()].reduce((sum, { length }) => sum - (length / text.length) * Math.log2(length / text.length), 0);
}

function secretsIn(text: string): string[] {
  const known = Object.entries(KINDS).filter(([, pattern]) => pattern.test(text));
  const chance = [...text.matchAll(ASSIGNED)].filter(([, value]) => !MADE_UP.has(value!) && entropyOf(value!) >= LOOKS_LIKE_CHANCE);
  return [...known.map(([kind]) => kind), ...chance.map(([, value]) => `a value like chance: ${value!.slice(0, 6)}…`)];
}

describe('secrets', () => {
  it('none stands in any file', () => {
    const own = relative(ROOT, import.meta.filename);
    const files = filesIn('').filter((path) => path !== own && statSync(join(ROOT, path)).size < 2_000_000);
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap((path) => secretsIn(read(path)).map((what) => `${path}: ${what}`))).toEqual(MADE_FOR_TESTS);
  });

  it.each([
    ['a private key', `-----BEGIN EC PRIVATE KEY-----\n${'MHcCAQEEI'.repeat(6)}`],
    ['a key of a cloud', `AKIA${'Q7'.repeat(8)}`],
    ['a token of a forge', `ghp_${'a1B2c3'.repeat(6)}`],
    ['an address with a password', 'postgres://sluice:hQ7pLw2xVt9kRz@database:5432/sluice'],
    ['a value like chance', `apiKey: '${'kJ8sPq2Lz9Xw4Tn7Vb3Rm6Yc'}'`],
  ])('%s would be found', (kind, text) => {
    expect(secretsIn(text)[0]).toContain(kind);
  });
});
