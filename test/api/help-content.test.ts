/** Help content (product.md, console §2): every page of the console has a prompt, a term and two questions, and they can be found from it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HELP } from '#contract/console-constants.ts';
import { helpKeyOf, helpKeys } from '#contract/help-page.ts';
import { pageCatalogue } from '#contract/page.ts';
import { PRODUCT_HELP } from '#server/help/content/product-help.ts';
import { contentOf, findByTags, findPrompt } from '#server/help/find-help.ts';

const CONSOLE = join(import.meta.dirname, '..', '..', 'web', 'console');
const content = contentOf(
  PRODUCT_HELP.map((text) => ({
    ...text,
    version: 1,
    is_removed: false,
    shipped: null,
    is_own: false,
    changed_at: new Date(0),
    changed_by: 'Sluice',
  })),
);

/** What somebody finds who presses the help of a page, and "more info" in it. */
function helpOf(key: string) {
  const { status, data } = findPrompt(content, HELP.projectId, key);
  const tags = [...data.glossaryTerms, ...data.keywordFaq, ...data.keywordKb];
  const { glossaries, faqs } = findByTags(content, HELP.projectId, tags.join(',')).data;
  const hasPrompt = status && data.promptText.length > 40;
  return { key, hasPrompt, hasTerm: glossaries.length > 0, hasQuestions: faqs.length >= 2 };
}
const whole = (key: string) => ({ key, hasPrompt: true, hasTerm: true, hasQuestions: true });

/** Every address that a route file of the console names, below region and vertical or not. */
const routed = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
  .filter((name) => /routes?\.tsx?$/.test(name))
  .flatMap((name) => [...readFileSync(join(CONSOLE, name), 'utf8').matchAll(/\bpath: '(\/[^']+)'/g)].map((match) => match[1]!))
  .filter((path) => !/^\/(setup\/\$region|\$vertical|)$/.test(path));

const ACCOUNT = /^\/(login|forgot-password|reset|reset-mfa|register|member-register|invitation|invitation-confirm-email)\b/;

describe('the help that comes with the product', () => {
  it('console §2: every page of the catalogue has a prompt, a term and two questions', () => {
    const pages = pageCatalogue.map(({ route }) => helpKeyOf(`/setup/us/payday/${route}`));
    expect(pages.map(helpOf)).toEqual(pages.map(whole));
    // No page borrows the help of another.
    expect(new Set(pages).size).toBe(pages.length);
  });

  it('every other page has them too', () => {
    expect(helpKeys.map(helpOf)).toEqual(helpKeys.map(whole));
  });

  it('every address that the console routes has help of its own', () => {
    expect(routed.length).toBeGreaterThan(60);
    const strangers = routed
      .filter((path) => !ACCOUNT.test(path))
      .filter((path) => {
        const framed = path.startsWith('/setup/') ? path : [path, `/setup/us/payday${path}`];
        return [framed].flat().every((one) => helpKeyOf(one.replaceAll(/\$\w+/g, 'x')) === 'account');
      });
    expect(strangers).toEqual([]);
  });

  it('console §1: every page outside the frame of the console, whose header has one, brings a help trigger of its own', () => {
    const outside = /getParentRoute: \(\) => (?:root|parent),\s+path: '[^']*',[\s\S]*?import\('([^']+)'\)/g;
    const pages = ['session/session-routes.ts', 'team/team-routes.ts', 'lab/lab-routes.ts'].flatMap((name) => {
      const text = readFileSync(join(CONSOLE, name), 'utf8');
      const routes = name.startsWith('session') ? text : text.slice(text.search(/export const (publicTeamRoutes|checkerRoute)/));
      return [...routes.matchAll(outside)].map(([, file]) => join(CONSOLE, name, '..', file!));
    });
    expect(pages.length).toBeGreaterThanOrEqual(9);
    pages.push(join(CONSOLE, 'registration', 'DoorPage.tsx'), join(CONSOLE, 'session', 'AccountFrame.tsx'));
    expect(pages.filter((page) => !/<(HelpButton|AccountFrame|DoorPage)\b/.test(readFileSync(page, 'utf8')))).toEqual([]);
  });

  it('an address of a record is helped like its page, a list like a list', () => {
    const of = (page: string) => helpKeyOf(`/setup/us/payday/${page}`);
    expect(
      ['leads', 'leads/7', 'leads/to-settle', 'buyers/7/statement', 'tier/edit/7', 'bin-mgmt/bin-lookup', 'bin-mgmt/7'].map(of),
    ).toEqual(['leads', 'lead', 'to-settle', 'statement', 'tier', 'bin-lookup', 'bin-mgmt']);
    expect(['/7/trackProcess', '/setup/home-buyer', '/setup/uk/no-vertical', '/login', '/'].map(helpKeyOf)).toEqual([
      'track-process',
      'home-buyer',
      'no-vertical',
      'account',
      'account',
    ]);
  });

  it('names every entry once, and every tag of a page that is there', () => {
    const names = PRODUCT_HELP.map(({ kind, key }) => `${kind} ${key}`);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const known = new Set([...helpKeys, 'glossary', 'learn']);
    expect(PRODUCT_HELP.filter(({ tags }) => tags.length === 0 || tags.some((tag) => !known.has(tag))).map(({ key }) => key)).toEqual([]);
  });

  it('is plain text in whole sentences', () => {
    const said = PRODUCT_HELP.flatMap(({ kind, body }) => Object.entries(body).map(([name, text]) => ({ kind, name, text: String(text) })));
    const sentences = said.filter(({ name }) => !['words', 'title'].includes(name));
    expect(sentences.filter(({ text }) => !/[.?!”)]$/.test(text)).map(({ text }) => text)).toEqual([]);
    expect(said.filter(({ text }) => /<\/?[a-z]|\]\(|\*\*|\b(TODO|lorem)\b/i.test(text))).toEqual([]);
  });
});
