/** A page of the console loads the styles that its own modules import, and no others: whichever page is opened first looks as it does after a walk through all of them. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const WEB = join(import.meta.dirname, '..', '..', 'web');
const MAIN = join(WEB, 'console', 'main.tsx');

interface Module {
  imports: string[];
  /** Loaded when it is needed: pages, and what few open. */
  lazy: string[];
  styles: string[];
  /** Names of classes, as far as they are written out. */
  classes: string[];
}

const modules = new Map<string, Module>();

function moduleOf(path: string): Module {
  const known = modules.get(path);
  if (known) return known;
  const text = readFileSync(path, 'utf8');
  const local = (specifier: string) => {
    if (specifier.startsWith('#web/')) return [join(WEB, specifier.slice('#web/'.length))];
    return specifier.startsWith('.') ? [resolve(dirname(path), specifier)] : [];
  };
  const named = [...text.matchAll(/^(?:import|export)\s(?!type\b)[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm)].flatMap((found) =>
    local((found[1] ?? found[2])!),
  );
  const made: Module = {
    imports: named.filter((one) => /\.tsx?$/.test(one)),
    lazy: [...text.matchAll(/\bimport\('([^']+)'\)/g)].flatMap((found) => local(found[1]!)),
    styles: named.filter((one) => one.endsWith('.css')),
    classes: [...text.matchAll(/\bclassName=(?:"([^"]+)"|\{`([^`]+)`\}|\{[^}]*?'([^']+)')/g)].flatMap((found) =>
      (found[1] ?? found[2] ?? found[3])!.split(/\s+/),
    ),
  };
  modules.set(path, made);
  return made;
}

function closureOf(entry: string): Set<string> {
  const seen = new Set<string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    waiting.push(...moduleOf(path).imports.filter((one) => one.startsWith(WEB)));
  }
  return seen;
}

const stylesOf = (closure: ReadonlySet<string>): string[] => [...closure].flatMap((path) => moduleOf(path).styles);

/** Where a class is styled by itself, and not only within another one. */
const styledIn = new Map<string, string[]>();
for (const path of globSync('{ui,console}/**/*.css', { cwd: WEB }).map((name) => join(WEB, name)))
  for (const [, selectors] of readFileSync(path, 'utf8').matchAll(/(?:^|[{};/])\s*([^{};@/]+)\{/g))
    for (const selector of selectors!.split(','))
      for (const [, name] of [...selector.trim().matchAll(/^[a-z]*\.([a-z][\w-]*)/g)])
        styledIn.set(name!, [...new Set([...(styledIn.get(name!) ?? []), path])]);

const main = closureOf(MAIN);
const entries = new Map<string, Set<string>>();
const parents = new Map<string, Set<string>>();
const waiting = [MAIN];
for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
  if (entries.has(entry)) continue;
  entries.set(entry, closureOf(entry));
  for (const lazy of [...entries.get(entry)!].flatMap((path) => moduleOf(path).lazy)) {
    parents.set(lazy, (parents.get(lazy) ?? new Set()).add(entry));
    waiting.push(lazy);
  }
}

/** Styles that are there when an entry is: its own, those of the first script, and what all who load it have. */
function available(entry: string, above: readonly string[] = []): Set<string> {
  const own = new Set([...stylesOf(main), ...stylesOf(entries.get(entry)!)]);
  const loaders = [...(parents.get(entry) ?? [])].filter((one) => one !== MAIN && !above.includes(one));
  if (loaders.length === 0 || parents.get(entry)?.has(MAIN)) return own;
  const [first, ...others] = loaders.map((one) => available(one, [...above, entry]));
  return new Set([...own, ...[...first!].filter((style) => others.every((one) => one.has(style)))]);
}

it('every page of the console brings the styles of the classes that it uses', () => {
  const bare = [...entries].flatMap(([entry, closure]) => {
    const styles = available(entry);
    return [...closure].flatMap((path) =>
      moduleOf(path).classes.flatMap((name) => {
        const where = styledIn.get(name);
        return where && !where.some((one) => styles.has(one)) ? [`${relative(WEB, path)}: .${name} of ${relative(WEB, where[0]!)}`] : [];
      }),
    );
  });
  expect([...new Set(bare)].sort()).toEqual([]);
  expect(entries.size).toBeGreaterThan(60);
});
