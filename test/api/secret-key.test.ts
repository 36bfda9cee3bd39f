/** A new SECRET_KEY while leads come in (docs/operate/keys.md): nothing is unreadable for a moment, and the secret of before opens nothing afterwards. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '#server/kit/config.ts';
import { boundToOrganization, open } from '#server/kit/crypto.ts';
import { boundTo as boundToMail } from '#server/mail/mail.ts';
import { renewSeals } from '#server/secret-key/renew-seals.ts';
import { beginSecret, boundTo as boundToFactor } from '#server/two-factor/two-factor.sql.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const OLD = 'a secret of the tests, long enough to pass';
const NEW = 'another secret of the tests, which is as long';
const keyOf = (SECRET_KEY: string, SECRET_KEY_ALSO?: string) => readConfig({ SECRET_KEY, SECRET_KEY_ALSO }).masterKey;
const [oldKey, newKey] = [keyOf(OLD).seals, keyOf(NEW).seals];

let database: TestDatabase;
let buyer: ScriptedBuyer;
let node: TestNode;
let office: Office;
let userId: string;

beforeAll(async () => {
  database = await freshDatabase();
  buyer = await startBuyer(() => ACCEPT);
  node = await startNode(database.url);
  office = await openOffice(node, buyer);
  await office.lead('before@example.com');
  ({ id: userId } = await node.db.selectFrom('app_user').select('id').executeTakeFirstOrThrow());
  await beginSecret(node.db, keyOf(OLD), userId);
  await node.mailer.file(node.db, 'invitation', 'una@example.com', { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' });
});
afterAll(async () => {
  await node.close();
  await buyer.close();
  await database.drop();
});

/** Which of the two opens each thing that SECRET_KEY seals. */
async function openedBy(): Promise<Record<string, string>> {
  const opens = (key: Buffer, bound: string, sealed: Buffer) => {
    try {
      open(key, bound, sealed);
      return true;
    } catch {
      return false;
    }
  };
  const told = (bound: string, sealed: Buffer) =>
    `${opens(oldKey, bound, sealed) ? 'old' : ''}${opens(newKey, bound, sealed) ? 'new' : ''}`;
  const { data_key, id } = await node.db.selectFrom('organization').select(['id', 'data_key']).executeTakeFirstOrThrow();
  const user = await node.db.selectFrom('app_user').select('mfa_secret').where('id', '=', userId).executeTakeFirstOrThrow();
  const mails = await node.db.selectFrom('mail').select(['id', 'content']).where('content', 'is not', null).execute();
  return {
    organization: told(boundToOrganization(id), data_key),
    factor: told(boundToFactor(userId), user.mfa_secret!),
    mails: [...new Set(mails.map((mail) => told(boundToMail(mail.id), mail.content!)))].join(),
  };
}

it('H1: goes from one secret to the next without a moment in which anything cannot be read', async () => {
  expect(await openedBy()).toEqual({ organization: 'old', factor: 'old', mails: 'old' });
  // First every node learns that there will be another; then each seals by it.
  const learning = await startNode(database.url, { masterKey: keyOf(OLD, NEW) });
  const sealing = await startNode(database.url, { masterKey: keyOf(NEW, OLD) });
  const [there, other] = await Promise.all([signIn(learning, office.world), signIn(sealing, office.world)]);
  let stopped = false;
  let serial = 0;
  const wrong: unknown[] = [];
  const callers = [there, other].map(async (by) => {
    while (!stopped) {
      const sent = await by.lead(`during${serial++}@example.com`);
      const read = await by.get(`/api/console/leads/${sent.json.leadId}`);
      if (sent.json.status !== 'accepted' || read.statusCode !== 200) wrong.push([sent.json, read.json]);
    }
  });
  const done = await renewSeals(node.pool, keyOf(NEW, OLD));
  for (const { closed, renewed } of done) expect([closed, renewed > 0]).toEqual([0, true]);
  expect(await openedBy()).toEqual({ organization: 'new', factor: 'new', mails: 'new' });
  // Whoever reads the organization anew now needs the new secret, and has it.
  await Promise.all([learning, sealing].map((one) => one.planBook.reload(office.world.organizationId)));
  await expect.poll(() => serial, { timeout: 30_000 }).toBeGreaterThan(20);
  stopped = true;
  await Promise.all(callers);
  expect(wrong).toEqual([]);
  await Promise.all([learning.close(), sealing.close()]);
});

it('H1: afterwards the new secret alone is enough, and the one before opens nothing', async () => {
  const alone = await startNode(database.url, { masterKey: keyOf(NEW) });
  const by = await signIn(alone, office.world);
  const { rows } = (await by.get('/api/console/leads?region=us&vertical=payday')).json;
  expect(rows.length).toBeGreaterThan(20);
  expect((await by.lead('after@example.com')).json.status).toBe('accepted');
  await alone.close();
  await expect(startNode(database.url, { masterKey: keyOf(OLD) })).rejects.toThrow(
    /^SECRET_KEY: this database was made with another secret/,
  );
});

it('begun again it changes nothing, and says so; without the secret of before it says what to set', () => {
  const run = (env: Record<string, string>) =>
    spawnSync(process.execPath, [join(ROOT, 'server', 'secret-key', 'main.ts')], {
      env: { PATH: process.env.PATH, DATABASE_URL: database.url, APP_ENV: 'test', ...env },
      encoding: 'utf8',
    });
  const again = run({ SECRET_KEY: NEW, SECRET_KEY_ALSO: OLD });
  expect(again.stdout).toMatch(/keys of organizations: 0 sealed anew, 1 were already\.[\s\S]*start nodes without SECRET_KEY_ALSO/);
  expect(again.status).toBe(0);
  const wrongSecret = run({ SECRET_KEY: 'a third secret, which is long enough to pass', SECRET_KEY_ALSO: OLD });
  expect([wrongSecret.status, wrongSecret.stdout]).toEqual([1, expect.stringContaining('1 that neither secret opens')]);
  const none = run({ SECRET_KEY: NEW });
  expect([none.status, none.stderr]).toEqual([1, expect.stringMatching(/^SECRET_KEY_ALSO: /)]);
});

it('a known browser stays known', async () => {
  const { knownDevice, setDeviceCookie } = await import('#server/session/device.ts');
  const owner = { id: userId, credential_epoch: 0 };
  const cookies = { device: 'device', secure: false } as Parameters<typeof setDeviceCookie>[1];
  let value = '';
  const reply = { setCookie: (_name: string, text: string) => (value = text) } as unknown as Parameters<typeof setDeviceCookie>[0];
  setDeviceCookie(reply, cookies, keyOf(OLD), owner);
  const request = { cookies: { device: value } } as unknown as Parameters<typeof knownDevice>[0];
  expect(knownDevice(request, cookies, keyOf(NEW, OLD), owner)).toBeDefined();
  expect(knownDevice(request, cookies, keyOf(NEW), owner)).toBeUndefined();
});
