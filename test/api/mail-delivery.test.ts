/** engine "Speaking to buyers": a lead that goes out by e-mail. What the mail server says to it is the buyer's answer. */
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointConfig } from '#contract/endpoint.ts';
import type { AttemptView, LeadView } from '#contract/lead.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startNode, startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
type Node = Awaited<ReturnType<typeof startTestWorld>>;

let node: Node;
let buyer: ScriptedBuyer;
let server: SMTPServer;
let refuses: 'nobody' | 'everybody' | 'the buyer' = 'nobody';
const mails: { recipients: string[]; mail: ParsedMail }[] = [];

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(
        refuses === 'everybody' || (refuses === 'the buyer' && /^leads@/i.test(address))
          ? Object.assign(new Error('5.2.2 mailbox full'), { responseCode: 552 })
          : null,
      ),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        mails.push({ recipients: session.envelope.rcptTo.map((one) => one.address), mail: await simpleParser(Buffer.concat(chunks)) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  node = await startTestWorld({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'Sluice <no-reply@sluice.example>' });
  buyer = await startBuyer();
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const endpoint = endpointConfig.parse({
  post: {
    url: 'mailto:leads@buyer.example',
    method: 'POST',
    body: {
      format: 'mail',
      subject: 'Lead {{system.leadId}}',
      text: 'Name: {{first_name}}',
      attachment: { name: 'lead.xml', root: 'lead' },
      mapping: [{ to: 'email', from: { kind: 'field', field: 'email' } }],
    },
    response: {
      outcomes: [{ outcome: 'accepted', when: [{ at: { part: 'status' }, is: 'equal', value: 250 }] }],
      otherwise: 'rejected',
      reasons: [{ part: 'body' }],
    },
  },
});

/** The desk reads mail, and whoever comes after it is called. */
async function build(at: Node, desk = endpoint): Promise<World> {
  const tiers = [
    { url: 'mailto:leads@buyer.example', buyer: 'Desk', endpoint: desk },
    { url: buyer.url, buyer: 'Taker' },
  ];
  const world = await buildWorld(at.db, { groups: [{ mode: 'priority', tiers }] });
  await at.planBook.reload(world.organizationId);
  return world;
}

const post = (at: Node, world: World, email: string) =>
  at.post('/api/v1/leads', { ...LEAD, email }, { authorization: `Bearer ${world.key}` });

async function attemptsOf(at: Node, world: World, leadId: string): Promise<AttemptView[]> {
  const { email, password } = await buildUser(at.db, world.organizationId);
  const cookie = (await at.post('/team-login', { email, password }, OWN_PAGE)).headers.get('set-cookie')!.split(';')[0]!;
  const answer = await fetch(`${at.url}/api/console/leads/${leadId}`, { headers: { cookie } });
  return ((await answer.json()) as { lead: LeadView }).lead.attemptList;
}

describe('a lead by e-mail', () => {
  it('is sold when the mail server takes the mail, once, and leaves nothing in the outbox', async () => {
    const world = await build(node);
    const { json } = await post(node, world, 'sold@example.com');
    expect(json).toMatchObject({ status: 'accepted' });
    expect(mails).toHaveLength(1);
    const [{ mail, recipients } = { mail: undefined, recipients: [] }] = mails;
    expect(recipients).toEqual(['leads@buyer.example']);
    expect([mail!.subject, mail!.text?.trim(), mail!.from?.text]).toEqual([
      `Lead ${json.leadId}`,
      `Name: ${LEAD.first_name}`,
      '"Sluice" <no-reply@sluice.example>',
    ]);
    expect(mail!.attachments[0]!.content.toString()).toContain('<email>sold@example.com</email>');
    expect((await node.pool.query('select from mail')).rowCount).toBe(0);
    expect(buyer.calls).toEqual([]);
    const [attempt] = await attemptsOf(node, world, json.leadId);
    expect(attempt!.wire).toMatchObject({ method: 'MAIL', url: 'mailto:leads@buyer.example', statusCode: 250 });
    expect(attempt!.wire!.requestBody).toContain('--- lead.xml ---');
    // The person is masked in it as in every other call.
    for (const text of ['sold@example.com', LEAD.first_name]) expect(attempt!.wire!.requestBody).not.toContain(text);
  });

  it('goes on to the next buyer when the mail server refuses, with its words as the reason', async () => {
    refuses = 'everybody';
    const world = await build(node);
    const { json } = await post(node, world, 'refused@example.com');
    refuses = 'nobody';
    expect(json).toMatchObject({ status: 'accepted' });
    expect(buyer.calls).toHaveLength(1);
    const [attempt] = await attemptsOf(node, world, json.leadId);
    expect(attempt).toMatchObject({ outcome: 'rejected', reasons: [expect.stringContaining('mailbox full')] });
  });

  it('goes to the buyer first, then to its copies; what the buyer does not take nobody has, and it is not sold', async () => {
    refuses = 'the buyer';
    mails.length = 0;
    const { post: leg } = endpoint;
    const copied = endpointConfig.parse({
      post: { ...leg, url: 'mailto:Leads@Buyer.Example', body: { ...leg.body, copyTo: ['copy@buyer.example'] } },
    });
    const world = await build(node, copied);
    const before = buyer.calls.length;
    const { json } = await post(node, world, 'copied@example.com');
    refuses = 'nobody';
    expect(json).toMatchObject({ status: 'accepted' });
    expect(buyer.calls.length).toBe(before + 1);
    const [attempt] = await attemptsOf(node, world, json.leadId);
    expect(attempt).toMatchObject({ outcome: 'rejected', reasons: [expect.stringContaining('mailbox full')] });
    expect(mails).toEqual([]);
    await post(node, world, 'taken@example.com');
    await expect.poll(() => mails.map(({ recipients }) => recipients)).toEqual([['leads@buyer.example'], ['copy@buyer.example']]);
    expect(buyer.calls.length).toBe(before + 1);
  });

  it('without a mail server it lands in the mailbox of a local installation, and a production one goes on to the next buyer', async () => {
    const local = await startTestWorld();
    const sold = await post(local, await build(local), 'local@example.com');
    expect(sold.json).toMatchObject({ status: 'accepted' });
    const page = await (await fetch(`${local.url}/mailbox`, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain(`Lead ${sold.json.leadId}`);
    // Nothing would send it one day: its lead has had its answer.
    expect((await local.pool.query('select gave_up_at is not null as rests, sent_at from mail')).rows).toEqual([
      { rests: true, sent_at: null },
    ]);
    const production = await startNode(local.database.url, { appEnv: 'production' });
    const before = buyer.calls.length;
    const world = await build(local);
    await production.planBook.reload(world.organizationId);
    const passed = await production.post('/api/v1/leads', { ...LEAD, email: 'away@example.com' }, { authorization: `Bearer ${world.key}` });
    expect(passed.json).toMatchObject({ status: 'accepted' });
    expect(buyer.calls.length).toBe(before + 1);
    const [attempt] = await attemptsOf(local, world, passed.json.leadId);
    expect(attempt!.wire!.warnings).toEqual(['connect: no mail server is set']);
    await production.close();
    await local.stop();
  });
});
