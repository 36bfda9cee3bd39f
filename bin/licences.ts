/** Under which licences the packages stand that Sluice runs with, by the lock file. Packages for developers and tests alone are left out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
export const DOCUMENT = 'docs/security/licences.md';

export interface LockedPackage {
  name: string;
  version: string;
  /** As SPDX says it; empty where the package does not say. */
  licence: string;
  integrity: string;
  /** Where it is from, where that is not the registry. */
  link: boolean;
  resolved: string;
  hasInstallScript: boolean;
}

/** Licences that ask for nothing but their text to be kept, and two that ask for it of their own files alone. */
export const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
  '(MIT OR CC0-1.0)',
];

/** Of packages whose lock entry has none: read in the package itself. */
const SAID_ELSEWHERE: Record<string, string> = { buildcheck: 'MIT', 'cpu-features': 'MIT', ssh2: 'MIT' };

interface Entry {
  version?: string;
  license?: string;
  integrity?: string;
  link?: boolean;
  resolved?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}

/** Each name and version once. */
export function listPackages(): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Entry> };
  const found = Object.entries(packages).flatMap(([path, entry]): LockedPackage[] => {
    if (path === '' || entry.dev) return [];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const { version = '', license, integrity = '', link = false, resolved = '', hasInstallScript = false } = entry;
    return [{ name, version, licence: license ?? SAID_ELSEWHERE[name] ?? '', integrity, link, resolved, hasInstallScript }];
  });
  const once = new Map(found.map((one) => [`${one.name} ${one.version}`, one]));
  return [...once.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/** The document, to the letter. */
export function drawDocument(): string {
  const packages = listPackages();
  const byLicence = [...Map.groupBy(packages, ({ licence }) => licence)].sort(([, a], [, b]) => b.length - a.length);
  const rows = byLicence.map(
    ([licence, own]) => `| ${licence} | ${own.length} | ${own.map(({ name, version }) => `${name} ${version}`).join(', ')} |`,
  );
  return `# Licences of what Sluice runs with

Drawn by \`npm run licences\` from package-lock.json; test/walls/supply-chain.test.ts fails where a package stands under a licence that is not agreed to, or this page is stale. Sluice itself is under Apache-2.0. The embedded PostgreSQL (18) is under the PostgreSQL licence, Node under MIT.

| licence | packages | |
|---|---|---|
${rows.join('\n')}
`;
}
