/** The walls between the folders (ARCHITECTURE.md), and the few rules of style that a machine can hold. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = ['engine', 'contract', 'server', 'web', 'db', 'test', 'bin'] as const;
type Folder = (typeof FOLDERS)[number];

/** Who may import whom; tests may import what they like. */
const MAY: Record<Folder, readonly string[]> = {
  engine: ['engine'],
  contract: ['contract', 'engine'],
  server: ['server', 'contract', 'engine', 'db'],
  web: ['web', 'contract'],
  db: ['db', 'server', 'engine', 'contract', 'test'],
  test: FOLDERS,
  bin: ['bin'],
};

interface Source {
  path: string;
  folder: Folder;
  text: string;
  isTest: boolean;
}

const sources: Source[] = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
    .map((name) => {
      const path = join(ROOT, folder, name);
      return { path: relative(ROOT, path), folder, text: readFileSync(path, 'utf8'), isTest: /\.test\.tsx?$/.test(name) };
    }),
);

function importsOf(source: Source): { from: string; typeOnly: boolean; lazy: boolean }[] {
  return [
    ...source.text.matchAll(/^(?:import|export)\s+(type\s+)?[^;'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm),
  ].map((match) => ({
    from: match[2] ?? match[3] ?? match[4]!,
    typeOnly: match[1] !== undefined,
    lazy: match[4] !== undefined,
  }));
}

/** The folder of ours an import goes to; undefined for a package. */
function targetOf(source: Source, from: string): string | undefined {
  if (from.startsWith('#')) return from.slice(1).split('/')[0];
  if (from.startsWith('.')) return relative(ROOT, join(ROOT, source.path, '..', from)).split('/')[0];
  return undefined;
}

describe('walls', () => {
  it('every import stays within what its folder may import', () => {
    const wrong = sources
      .filter((source) => !source.isTest)
      .flatMap((source) =>
        importsOf(source)
          .map(({ from }) => ({ from, to: targetOf(source, from) }))
          .filter(({ to }) => to !== undefined && !MAY[source.folder].includes(to))
          .map(({ from }) => `${source.path} imports ${from}`),
      );
    expect(wrong).toEqual([]);
  });

  it('the engine is pure: no module of Node, no clock, no chance, and three libraries only', () => {
    const allowed = ['temporal-polyfill', 'libphonenumber-js/min', 'libphonenumber-js/max', 're2js'];
    const engine = sources.filter((source) => source.folder === 'engine' && !source.isTest);
    const imports = engine.flatMap((source) =>
      importsOf(source)
        .filter(({ from }) => !from.startsWith('.') && !allowed.includes(from))
        .map(({ from }) => `${source.path} imports ${from}`),
    );
    expect(imports).toEqual([]);
    const impure = engine.filter((source) =>
      /\b(Date\.now|new Date\(\)|Math\.random|performance\.|setTimeout|process\.|fetch\()/.test(
        source.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''),
      ),
    );
    expect(impure.map((source) => source.path)).toEqual([]);
  });

  it('the contract takes only types from the engine, and its judge of patterns', () => {
    const wrong = sources
      .filter((source) => source.folder === 'contract' && !source.isTest)
      .flatMap((source) =>
        importsOf(source)
          .filter(({ from, typeOnly }) => targetOf(source, from) === 'engine' && !typeOnly && from !== '#engine/pattern.ts')
          .map(({ from }) => `${source.path} imports ${from}`),
      );
    expect(wrong).toEqual([]);
  });

  it('what the console loads first holds none of the schemas', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const first = new Set<string>();
    const holding: string[] = [];
    const visit = (path: string, way: string) => {
      if (first.has(path)) return;
      first.add(path);
      const source = byPath.get(path);
      for (const { from, typeOnly, lazy } of source ? importsOf(source) : []) {
        if (typeOnly || lazy) continue;
        if (from === 'zod') holding.push(way);
        else if (from.startsWith('#')) visit(from.slice(1), `${way} > ${from.slice(1)}`);
        else if (from.startsWith('.')) visit(join(path, '..', from), `${way} > ${join(path, '..', from)}`);
      }
    };
    visit('web/console/main.tsx', 'web/console/main.tsx');
    expect(first.size).toBeGreaterThan(50);
    expect(holding).toEqual([]);
  });

  it('every expression that people write is judged, compiled and run in one place', () => {
    const users = sources.filter((source) => !source.isTest && source.folder !== 'test' && /from 're2js'/.test(source.text));
    expect(users.map((source) => source.path)).toEqual(['engine/pattern.ts']);
  });

  it('no regular expression is ever built from a tenant’s text', () => {
    const wrong = sources.filter(
      (source) => !source.isTest && ['engine', 'server', 'contract'].includes(source.folder) && /new RegExp\(/.test(source.text),
    );
    expect(wrong.map((source) => source.path)).toEqual(['server/kit/embedded-postgres.ts']); // a user name of ours, from a closed list
  });
});

describe('what no code of ours does', () => {
  const ours = sources
    .filter(({ folder, isTest, path }) => folder !== 'test' && folder !== 'bin' && !isTest && !path.includes('.fixture.'))
    .map(({ path, folder, text }) => ({ path, folder, code: text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '') }));
  const filesWith = (pattern: RegExp) => ours.filter(({ code }) => pattern.test(code)).map(({ path }) => path);
  const namesIn = (pattern: RegExp) => [...new Set(ours.flatMap(({ code }) => [...code.matchAll(pattern)].map(([, name]) => name)))].sort();

  it('ASVS 5.0 1.2.5, 1.3.2: no text is run as code, and other programs are begun in two places', () => {
    expect(filesWith(/\beval\(|new Function\(|node:vm\b/)).toEqual([]);
    expect(filesWith(/node:child_process/)).toEqual(['server/kit/embedded-postgres.ts', 'server/market/keep-market.ts']);
    expect(filesWith(/\bshell: true|\bexec(Sync)?\(`/)).toEqual([]);
  });

  it('ASVS 5.0 3.2.2, 3.5.5: the console writes text as text, and listens to no other window', () => {
    expect(filesWith(/dangerouslySetInnerHTML|(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write\(/)).toEqual([]);
    expect(filesWith(/addEventListener\('message'|\bonmessage\b/)).toEqual([]);
  });

  it('ASVS 5.0 11.2.1, 11.3.1, 11.3.2, 11.4.1, 11.5.1: ciphers, hashes and chance are those of Node, and of few kinds', () => {
    expect(namesIn(/create(?:C|Dec)ipheriv\('([^']+)'/g)).toEqual(['aes-256-gcm']);
    expect(namesIn(/\b(?:createHash|createHmac|hash|hkdfSync)\('([\w-]+)'/g)).toEqual(['sha256']);
    // Buyers ask for hashes of their own kind: those are formats of a value, and protect nothing of ours.
    expect(filesWith(/\bcreateHash\((?!'sha256')/)).toEqual(['server/delivery/format-value.ts']);
    // A key of the browser's history, which is no secret.
    expect(filesWith(/Math\.random/)).toEqual(['web/console/hashbang.ts']);
  });

  it('ASVS 5.0 6.2.6, 6.2.7: what takes a password hides it, is known to password managers, and lets it be pasted', () => {
    const inputs = ours.flatMap(({ path, code }) =>
      [...code.matchAll(/autoComplete="(?:current|new)-password"/g)].map(({ index }) => ({
        path,
        input: [...code.slice(0, index).matchAll(/<([A-Z]\w+)/g)].at(-1)?.[1],
      })),
    );
    expect(inputs.length).toBeGreaterThan(7);
    expect(inputs.filter(({ input }) => input !== 'PasswordInput')).toEqual([]);
    const files = [...new Set(inputs.map(({ path }) => path))];
    expect(files.filter((file) => filesWith(/onPaste/).includes(file))).toEqual([]);
  });

  it('ASVS 5.0 16.2.5, 16.4.1: no error is logged but by its trace, which holds neither message nor values', () => {
    expect(filesWith(/\blog\.\w+\((?:error|err)\b|\berr: (?!traceOf\()/)).toEqual([]);
  });

  it('ASVS 5.0 12.1.1, 12.3.2: nothing asks less of TLS than Node does', () => {
    expect(filesWith(/rejectUnauthorized|minVersion|secureProtocol|\bciphers\b|checkServerIdentity|TLS_REJECT/)).toEqual([]);
  });
});

describe('style', () => {
  it('no folder or file is called by a word that says nothing', () => {
    const empty = /(^|[/.-])(utils?|helpers?|common|misc|manager|info)([/.-]|$)/;
    expect(sources.map((source) => source.path).filter((path) => empty.test(path))).toEqual([]);
  });

  it('no test is skipped, and none runs alone', () => {
    const wrong = sources.filter(
      (source) => source.isTest && /\b(it|test|describe)\.(skip|only|todo)\b/.test(source.text) && !source.path.startsWith('test/walls'),
    );
    expect(wrong.map((source) => source.path)).toEqual([]);
  });

  it('at most eight folders stand at the root', () => {
    const folders = readdirSync(ROOT, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !['node_modules', 'dist'].includes(entry.name),
    );
    expect(folders.length).toBeLessThanOrEqual(8);
  });

  it('people in fixtures have reserved addresses and numbers only', () => {
    const wrong = sources.filter(
      (source) => /@(gmail|yahoo|hotmail|outlook)\.com/.test(source.text) && !source.path.startsWith('test/walls'),
    );
    expect(wrong.map((source) => source.path)).toEqual([]);
  });
});
