/** The calls of the help host (console §7), and the editing of what they tell (product.md). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HELP } from '#contract/console-constants.ts';
import type { HelpText } from '#contract/help.ts';
import { PRODUCT_HELP } from '#server/help/content/product-help.ts';
import { loadHelp } from '#server/help/load-help.ts';
import { readConfig } from '#server/kit/config.ts';
import { startNode, startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let owner: Office;
let editor: Office;
let colleague: Office;

beforeAll(async () => {
  node = await startTestWorld();
  owner = await openOffice(node, undefined);
  editor = await signIn(node, owner.world, { superAdmin: true, role: 'member' });
  colleague = await signIn(node, owner.world, { superAdmin: true });
});
afterAll(() => node.stop());

const BASE = '/api/console/help';
const FOREIGN = { origin: 'https://publisher.example', 'sec-fetch-site': 'cross-site' };

/** As the script does from a page of somebody else. */
async function ask(path: string, fields: Record<string, string>, url = node.url) {
  const answer = await fetch(`${url}/help/sdk/${path}`, { method: 'POST', body: new URLSearchParams(fields), headers: FOREIGN });
  const text = await answer.text();
  return { statusCode: answer.status, headers: answer.headers, text, json: JSON.parse(text) };
}
const tooltip = (id: string, projectId: string = HELP.projectId) => ask(`tooltip/${encodeURIComponent(id)}`, { projectId });
const more = (tagString: string, projectId: string = HELP.projectId) => ask('more-data', { tagString, projectId });
const save = (entry: HelpText, version: number, as = editor) => as.post(`${BASE}/save`, { entry, version });
const read = async (kind: string, key: string) => (await editor.get(`${BASE}/entry?kind=${kind}&key=${key}`)).json;
const question = (key: string, answer: string, tags = ['own']): HelpText => ({
  kind: 'question',
  key,
  tags,
  body: { question: 'Is it so?', answer },
});

describe('the calls of the help host', () => {
  it('console §7, tooltip: the prompt of a key, and the tags under which there is more', async () => {
    const { statusCode, json } = await tooltip('flow-control');
    expect([statusCode, json.status]).toEqual([200, true]);
    expect(json.data).toEqual({
      projectId: HELP.projectId,
      promptText: expect.stringContaining('A campaign as a picture'),
      keywordFaq: ['flow-control'],
      glossaryTerms: ['flow-control'],
      keywordKb: ['flow-control'],
    });
  });

  it('console §7, more-data: terms with their words, questions, and articles as questions', async () => {
    const { json } = await more('flow-control');
    const tree = json.data.glossaries.find((one: { _id: string }) => one._id === 'ping-tree');
    expect(tree.data).toEqual([{ word: 'Ping tree' }, { word: 'Tree' }]);
    expect(Object.keys(tree).sort()).toEqual(['_id', 'data', 'definition']);
    for (const one of json.data.faqs) expect(Object.keys(one).sort()).toEqual(['_id', 'answer', 'question']);
    expect(json.data.faqs.map((one: { _id: string }) => one._id)).toEqual(
      expect.arrayContaining(['flow-control.01', 'learn.6-change-a-tree-safely']),
    );
  });

  it('tags are found however they are spelled, several between commas, each entry once', async () => {
    const [one, two] = [await more('bin-mgmt'), await more('bank-mgmt')];
    const both = await more(' BIN-Mgmt ,bank mgmt,, bin-mgmt');
    const ids = (answer: typeof one) => answer.json.data.glossaries.map((term: { _id: string }) => term._id).sort();
    expect(ids(both)).toEqual([...new Set([...ids(one), ...ids(two)])].sort());
    expect(ids(both).length).toBeLessThan(ids(one).length + ids(two).length);
  });

  it('what is not there is status false and nothing else: ids, tags and projects nobody has', async () => {
    for (const { statusCode, json } of [
      await tooltip('no-such-page'),
      await tooltip('__proto__'),
      await tooltip('constructor'),
      await tooltip('../../api/console/help'),
      await tooltip('x'.repeat(150)),
      await tooltip('overview', 'another'),
      await tooltip("' or 1=1 --"),
    ])
      expect([statusCode, json.status, json.data.promptText, json.data.glossaryTerms]).toEqual([200, false, '', []]);
    for (const { statusCode, json } of [
      await more('nothing'),
      await more(''),
      await more('overview', 'another'),
      await more(',,,'),
      await more('__proto__,constructor,toString'),
      await more(','.repeat(2000)),
    ])
      expect([statusCode, json]).toEqual([200, { status: false, data: { glossaries: [], faqs: [] } }]);
  });

  it('an address that cannot be read, or has no end, is refused in the one shape, readable for the foreign page', async () => {
    for (const [id, code] of [
      ['%ff', 'address_invalid'],
      ['%', 'address_invalid'],
      ['x'.repeat(300), 'route_unknown'],
    ]) {
      const { json, headers } = await ask(`tooltip/${id}`, { projectId: HELP.projectId });
      expect([id, json]).toEqual([id, { status: false, code, msg: expect.any(String) }]);
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it('what cannot be meant is refused with what to do, readable for the foreign page, and costs nothing', async () => {
    const refused = [
      await more('x'.repeat(10_000)),
      await ask('more-data', {}),
      await ask('more-data', { tagString: 'overview' }),
      await ask('more-data', { tagString: 'overview', projectId: 'p'.repeat(61) }),
      await ask('tooltip/overview', {}),
    ];
    for (const { statusCode, json, headers } of refused) {
      expect([statusCode, json.status, json.code]).toEqual([400, false, 'request_invalid']);
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
    expect((await ask('more-data', { tagString: 'a\u0000b', projectId: 'sluice' })).statusCode).toBe(400);
    for (const body of ['[1]', '"x"', '{"tagString":{"a":1},"projectId":[]}', '{'])
      expect((await node.post('/help/sdk/more-data', body, { 'content-type': 'application/json' })).statusCode).toBe(400);
    expect(
      (await node.post('/help/sdk/more-data', 'x'.repeat(70_000), { 'content-type': 'application/x-www-form-urlencoded' })).statusCode,
    ).toBe(413);
  });

  it('any page may ask these two calls, without cookies, and no other call of ours', async () => {
    for (const { headers } of [await more('overview'), await tooltip('overview')]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    }
    for (const path of ['/ampl/message/toastr-notification', '/', '/api/console/help', '/healthz', '/docs/json'])
      expect([path, (await fetch(node.url + path, { headers: FOREIGN })).headers.get('access-control-allow-origin')]).toEqual([path, null]);
    const asked = await fetch(`${node.url}/help/sdk/more-data`, {
      method: 'OPTIONS',
      headers: { ...FOREIGN, 'access-control-request-method': 'POST' },
    });
    expect(asked.headers.get('access-control-allow-headers')).toBeNull();
  });

  it('console §7: HELP_HOST names another help host; the console is told, and its policy lets it be called', async () => {
    const other = await startNode(node.database.url, { helpHost: 'https://help.example.com' });
    const page = await fetch(`${other.url}/ampl/message/toastr-notification`);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self' https://help.example.com");
    expect(page.headers.get('content-security-policy')).toContain("connect-src 'self' https://help.example.com");
    await other.close();
    for (const wrong of ['help.example.com', 'https://help.example.com/path', 'javascript:alert(1)', "https://x.example 'unsafe-inline'"])
      expect(() => readConfig({ HELP_HOST: wrong })).toThrow(/^HELP_HOST: must be an origin/);
    expect(readConfig({ HELP_HOST: 'http://localhost:4000' }).helpHost).toBe('http://localhost:4000');
    expect(readConfig({}).helpHost).toBeUndefined();
  });
});

describe('the help script', () => {
  const file = join(import.meta.dirname, '..', '..', 'dist', 'web', HELP.scriptPath);

  it('is one file under 15 KiB gzipped that imports, evaluates and writes nothing', () => {
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, 'utf8');
    expect(gzipSync(text, { level: 9 }).length).toBeLessThan(15 * 1024);
    expect(text).not.toMatch(
      /\bimport\b|\beval\b|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|setAttribute\(.style/,
    );
  });

  it('stands at one address for pages of anybody, and a new version reaches them within the hour', async () => {
    const get = (more: Record<string, string> = {}) =>
      node.app.inject({ url: HELP.scriptPath, headers: { ...FOREIGN, 'accept-encoding': 'gzip', ...more } });
    const { statusCode, headers } = await get();
    expect([statusCode, headers['content-type'], headers['content-encoding']]).toEqual([
      200,
      expect.stringContaining('javascript'),
      'gzip',
    ]);
    expect(headers['cache-control']).toBe('public, max-age=3600, stale-while-revalidate=86400');
    expect([headers['access-control-allow-origin'], headers['cross-origin-resource-policy']]).toEqual(['*', 'cross-origin']);
    const again = await get({ 'if-none-match': String(headers.etag) });
    expect(again.statusCode).toBe(304);
  });
});

describe('help content is edited by super admins', () => {
  it('and by nobody else, the owner of an organization included', async () => {
    const member = await signIn(node, owner.world, { role: 'member' });
    for (const person of [owner, member]) {
      expect((await person.get(BASE)).statusCode).toBe(403);
      expect((await person.get(`${BASE}/entry?kind=prompt&key=overview`)).json.code).toBe('help_forbidden');
      expect((await save(question('not-mine', 'No.'), 0, person)).statusCode).toBe(403);
      for (const call of ['remove', 'restore'])
        expect((await person.post(`${BASE}/${call}`, { kind: 'prompt', key: 'overview', version: 1, from: 1 })).statusCode).toBe(403);
    }
    expect((await tooltip('overview')).json.status).toBe(true);
  });

  it('what is added, changed and removed is told at once, and every version can stand again', async () => {
    expect((await save(question('own', 'First.'), 0)).json).toEqual({ status: true, msg: 'Help added.', version: 1 });
    expect((await more('own')).json.data.faqs).toEqual([{ _id: 'own', question: 'Is it so?', answer: 'First.' }]);
    expect((await save(question('own', 'Second.'), 1, colleague)).json.version).toBe(2);
    expect((await more('own')).json.data.faqs[0].answer).toBe('Second.');
    expect((await editor.post(`${BASE}/remove`, { kind: 'question', key: 'own', version: 2 })).json.version).toBe(3);
    expect((await more('own')).json.status).toBe(false);
    expect((await editor.post(`${BASE}/restore`, { kind: 'question', key: 'own', version: 3, from: 1 })).json.version).toBe(4);
    expect((await more('own')).json.data.faqs[0].answer).toBe('First.');
    const { entry, versions } = await read('question', 'own');
    expect(entry).toMatchObject({ version: 4, origin: 'added', isRemoved: false, changedBy: 'Una User' });
    const told = versions.map(({ version, isRemoved, body }: { version: number; isRemoved: boolean; body: { answer: string } }) => [
      version,
      isRemoved,
      body.answer,
    ]);
    expect(told).toEqual([
      [4, false, 'First.'],
      [3, true, 'Second.'],
      [2, false, 'Second.'],
      [1, false, 'First.'],
    ]);
  });

  it('of two who edit one entry the second is told, and nothing is lost', async () => {
    await save(question('both', 'Begun.'), 0);
    const answers = await Promise.all([save(question('both', 'One.'), 1), save(question('both', 'Two.'), 1, colleague)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json.code).toBe('help_changed');
    const taken = await Promise.all([save(question('race', 'One.'), 0), save(question('race', 'Two.'), 0, colleague)]);
    expect(taken.map(({ json }) => json.code ?? 'saved').sort()).toEqual(['help_key_taken', 'saved']);
    expect((await read('question', 'both')).versions.length).toBe(2);
    // The same once more is no version.
    const { body } = (await read('question', 'both')).entry;
    expect((await save(question('both', body.answer), 2)).json.version).toBe(2);
  });

  it('markup is text: what looks like a script is told as it was written', async () => {
    const nasty = '<script>alert(1)</script> <svg onload=alert(1)> <b style="x" onclick="y">bold</b> {{constructor}} \u202e';
    await save(question('markup', nasty), 0);
    const { headers, json } = await more('own');
    expect(json.data.faqs.find((one: { _id: string }) => one._id === 'markup').answer).toBe(nasty.trim());
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual(['application/json; charset=utf-8', 'nosniff']);
  });

  it('what cannot be kept is refused where it is written', async () => {
    const body = { question: 'Q', answer: 'A' };
    const wrong: unknown[] = [
      { kind: 'question', key: 'Capital', tags: [], body },
      { kind: 'question', key: '../x', tags: [], body },
      { kind: 'question', key: 'k'.repeat(81), tags: [], body },
      { kind: 'question', key: 'ok', tags: ['t'.repeat(10_000)], body },
      { kind: 'question', key: 'ok', tags: Array.from({ length: 21 }, (_, at) => `t${at}`), body },
      { kind: 'question', key: 'ok', tags: [], body: { question: ' ', answer: 'A' } },
      { kind: 'question', key: 'ok', tags: [], body: { question: 'Q', answer: 'a'.repeat(4001) } },
      { kind: 'question', key: 'ok', tags: [], body: { text: 'Of another kind.' } },
      { kind: 'term', key: 'ok', tags: [], body: { words: [], definition: 'D' } },
      { kind: 'poem', key: 'ok', tags: [], body },
      null,
    ];
    for (const entry of wrong) expect([entry, (await editor.post(`${BASE}/save`, { entry, version: 0 })).statusCode]).toEqual([entry, 400]);
    expect((await editor.post(`${BASE}/save`, { entry: question('ok', 'A\u0000'), version: 0 })).statusCode).toBe(400);
    for (const version of [-1, 1.5, 'x', null])
      expect((await editor.post(`${BASE}/save`, { entry: question('ok', 'A'), version })).statusCode).toBe(400);
    expect((await save(question('ok', 'A'), 7)).json.code).toBe('help_unknown');
    expect((await editor.post(`${BASE}/remove`, { kind: 'term', key: 'no-such', version: 1 })).json.code).toBe('help_unknown');
    expect((await editor.post(`${BASE}/restore`, { kind: 'question', key: 'own', version: 4, from: 99 })).json.code).toBe(
      'help_version_unknown',
    );
    expect((await editor.post(`${BASE}/restore`, { kind: 'question', key: 'own', version: 4, from: 'product' })).json.code).toBe(
      'help_version_unknown',
    );
    expect((await editor.get(`${BASE}/entry?kind=poem&key=own`)).statusCode).toBe(400);
  });

  it('is seen on every node within seconds', async () => {
    const other = await startNode(node.database.url);
    await ask('more-data', { tagString: 'far', projectId: HELP.projectId }, other.url);
    await save(question('far', 'Seen.', ['far']), 0);
    await expect
      .poll(async () => (await ask('more-data', { tagString: 'far', projectId: HELP.projectId }, other.url)).json.status, { timeout: 8000 })
      .toBe(true);
    await other.close();
  });
});

describe('an upgrade of the product’s own help', () => {
  const text = (key: string, said: string): HelpText => ({ kind: 'prompt', key, tags: ['up'], body: { text: said } });
  const state = async (key: string) => {
    const { entry, shipped, versions } = await read('prompt', key);
    return {
      says: entry.body.text,
      origin: entry.origin,
      isRemoved: entry.isRemoved,
      version: entry.version,
      brings: shipped?.body.text,
      kept: versions.length,
    };
  };
  const upgrade = (...own: HelpText[]) => loadHelp(node.db, [...PRODUCT_HELP, ...own]);

  it('brings what is new, follows where nobody changed anything, and keeps somebody’s words', async () => {
    await upgrade(
      text('up-plain', 'Old.'),
      text('up-edited', 'Old.'),
      text('up-gone', 'Old.'),
      text('up-gone-edited', 'Old.'),
      text('up-removed', 'Old.'),
    );
    await save(text('up-edited', 'Ours.'), 1);
    await save(text('up-gone-edited', 'Ours.'), 1);
    await save(text('up-added', 'Ours.'), 0);
    await editor.post(`${BASE}/remove`, { kind: 'prompt', key: 'up-removed', version: 1 });
    await upgrade(text('up-plain', 'New.'), text('up-edited', 'New.'), text('up-added', 'New.'), text('up-removed', 'New.'));

    expect(await state('up-plain')).toEqual({ says: 'New.', origin: 'product', isRemoved: false, version: 2, brings: undefined, kept: 2 });
    expect(await state('up-edited')).toEqual({ says: 'Ours.', origin: 'changed', isRemoved: false, version: 2, brings: 'New.', kept: 2 });
    expect(await state('up-added')).toEqual({ says: 'Ours.', origin: 'changed', isRemoved: false, version: 1, brings: 'New.', kept: 1 });
    expect(await state('up-gone')).toMatchObject({ isRemoved: true, version: 2, kept: 2 });
    expect(await state('up-gone-edited')).toEqual({
      says: 'Ours.',
      origin: 'added',
      isRemoved: false,
      version: 2,
      brings: undefined,
      kept: 2,
    });
    expect(await state('up-removed')).toMatchObject({ isRemoved: true, version: 2, brings: 'New.' });
  });

  it('what is taken back from the product follows the product again', async () => {
    expect((await editor.post(`${BASE}/restore`, { kind: 'prompt', key: 'up-edited', version: 2, from: 'product' })).json.version).toBe(3);
    expect(await state('up-edited')).toMatchObject({ says: 'New.', origin: 'product' });
    await upgrade(text('up-edited', 'Newer.'));
    expect(await state('up-edited')).toMatchObject({ says: 'Newer.', version: 4 });
  });

  it('does nothing at the next start of the same version, on however many nodes', async () => {
    await loadHelp(node.db, PRODUCT_HELP);
    const count = () =>
      node.db
        .selectFrom('help_version')
        .select((of) => of.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
    const before = await count();
    await Promise.all([loadHelp(node.db, PRODUCT_HELP), loadHelp(node.db, PRODUCT_HELP)]);
    expect(await count()).toEqual(before);
    await Promise.all([upgrade(text('up-race', 'One.')), upgrade(text('up-race', 'One.'))]);
    expect((await state('up-race')).version).toBe(1);
  });
});
