/** Mail over a real SMTP conversation: sent once, tried again when refused, and nothing smuggled in by a name. */
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeMail } from '#server/mail/compose-mail.ts';
import { PRODUCTION_CONFIG } from '#test/harness/config.ts';
import { growthOf } from '#test/harness/metrics.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld } from '#test/harness/world.ts';

interface Delivered {
  recipients: string[];
  mail: ParsedMail;
  raw: string;
}

let node: Awaited<ReturnType<typeof startTestWorld>> & { smtpUrl: string };
let server: SMTPServer;
const delivered: Delivered[] = [];
let refusing = false;

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => done(refusing ? Object.assign(new Error('Come back later'), { responseCode: 451 }) : null),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks);
        const recipients = session.envelope.rcptTo.map((one) => one.address);
        delivered.push({ recipients, mail: await simpleParser(raw), raw: raw.toString('utf8') });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  const smtpUrl = `smtp://127.0.0.1:${port}`;
  node = { ...(await startTestWorld({ smtpUrl, mailFrom: 'Sluice <no-reply@sluice.example>' })), smtpUrl };
});
afterAll(async () => {
  await node.stop();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

it('account §7: the link of a reset mail, read back from the mail server, sets a new password', async () => {
  const world = await buildWorld(node.db, {});
  const { email } = await buildUser(node.db, world.organizationId);
  await visit(node).post('/api/v1/teamMgmt/user/forgot-password', { text: email });
  await node.mailer.sendDue();
  const { recipients, mail } = delivered.at(-1)!;
  expect(recipients).toEqual([email]);
  expect([mail.from?.text, mail.subject]).toEqual(['"Sluice" <no-reply@sluice.example>', 'Set a new password']);
  const [url] = /http:\S+/.exec(mail.text!)!;
  expect(mail.html).toContain(`href="${url}"`);
  const token = url.split('/').at(-1);
  const body = { password: 'blue-kettle-7', confirmPassword: 'blue-kettle-7' };
  expect((await visit(node).post(`/api/v1/teamMgmt/user/reset-password/${token}`, body)).statusCode).toBe(200);
  // What was sent is not kept: it held a link that opens an account.
  expect((await node.pool.query('select content from mail where sent_at is not null')).rows).toEqual([{ content: null }]);
});

it('account §1, §4: activation, invitation, two-factor reset and notices arrive, plain and HTML, with links from the configuration', async () => {
  const world = await buildWorld(node.db, { name: 'Harbour Leads' });
  const owner = await buildUser(node.db, world.organizationId);
  const member = await buildUser(node.db, world.organizationId, { role: 'member' });
  const strict = await startNode(node.database.url, { twoFactor: true, smtpUrl: node.smtpUrl });
  const visitor = visit(strict, { headers: { 'x-forwarded-host': 'evil.example' } });
  const T = '/api/v1/teamMgmt';
  const person = { first_name: 'Nora', last_name: 'New', email: 'nora@example.com', password: 'blue-kettle-7' };
  await visitor.post(`${T}/users/register`, { ...person, orgDetails: { name: 'Nora Leads', subDomain: 'nora-leads' } });
  await visitor.post(`${T}/user/reset-mfa`, { text: member.email });
  const host = visit(node, { host: `${world.subDomain}.localhost` });
  await host.post('/team-login', { email: owner.email, password: owner.password });
  await host.post(`${T}/team/invite`, { email: 'ida@example.com', first_name: 'Ida', last_name: 'Invited', permissions: [] });
  await host.post(`${T}/user/change-password`, {
    currentPassword: owner.password,
    password: 'blue-kettle-7',
    confirmPassword: 'blue-kettle-7',
  });
  await node.mailer.sendDue();
  const to = (email: string) => delivered.filter((one) => one.recipients.includes(email)).at(-1)!.mail;
  for (const [email, subject, path] of [
    ['nora@example.com', /activate/i, '/invitation-confirm-email/'],
    [member.email, /two-factor/i, '/reset-mfa?token='],
    ['ida@example.com', /Harbour Leads/, '/invitation/'],
  ] as const) {
    const { subject: told, text, html } = to(email);
    expect(told).toMatch(subject);
    expect(new URL(/http:\S+/.exec(text!)![0]).hostname).toMatch(/localhost$/);
    for (const body of [text, html]) expect(body).toContain(path);
    expect(html).not.toContain('evil.example');
  }
  expect(to(owner.email).subject).toBe('Your password was changed');
  await strict.close();
});

it('account §7, G9: a mail server that refuses for a while delays a mail and loses none, and it comes once', async () => {
  refusing = true;
  const before = delivered.length;
  await node.mailer.file(node.db, 'notice', 'late@example.com', composeMail({ subject: 'Later', paragraphs: ['Hello.'] }));
  const counted = (outcome: string, work: () => Promise<unknown>) => growthOf(node.url, 'sluice_mails_total', { outcome }, work);
  expect(await counted('postponed', () => node.mailer.sendDue())).toBe(1);
  expect((await node.pool.query(`select tries, sent_at from mail where recipient = 'late@example.com'`)).rows).toEqual([
    { tries: 1, sent_at: null },
  ]);
  refusing = false;
  await node.pool.query(`update mail set send_after = now() where recipient = 'late@example.com'`);
  expect(await counted('sent', () => Promise.all([node.mailer.sendDue(), node.mailer.sendDue()]))).toBe(1);
  await node.mailer.sendDue();
  expect(delivered.slice(before).map((one) => one.mail.subject)).toEqual(['Later']);
});

it.each([
  ['password-reset', 30],
  ['mfa-reset', 30],
  ['activation', 3 * 24 * 60],
  ['invitation', 7 * 24 * 60],
])('G9: a mail whose link has expired while the mail server was away is not sent: %s, %i minutes', async (kind, minutes) => {
  const [late, inTime] = [`late-${kind}@example.com`, `in-time-${kind}@example.com`];
  for (const recipient of [late, inTime])
    await node.mailer.file(node.db, kind, recipient, composeMail({ subject: 'A link', paragraphs: ['x'] }));
  await node.pool.query(`update mail set created_at = now() - $2 * interval '1 minute' where recipient = $1`, [late, minutes]);
  await node.pool.query(`update mail set created_at = now() - $2 * interval '1 minute' where recipient = $1`, [inTime, minutes - 1]);
  await node.mailer.sendDue();
  expect(delivered.flatMap((one) => one.recipients).filter((one) => [late, inTime].includes(one))).toEqual([inTime]);
  const { rows } = await node.pool.query('select content, gave_up_at is not null as gave_up from mail where recipient = $1', [late]);
  expect(rows).toEqual([{ content: null, gave_up: true }]);
});

it('account §7, A12, F5, 1.2 mail: no name or subject adds a recipient, a header or markup', async () => {
  const evil = 'Eve\r\nBcc: victim@example.com\r\n\r\n<img src=x onerror=alert(1)>';
  await node.mailer.file(node.db, 'notice', 'eve@example.com', composeMail({ subject: `Welcome, ${evil}`, paragraphs: [`Dear ${evil}`] }));
  const addresses = [
    'a@example.com>, <victim@example.com',
    '"victim@example.com x"@quoted.example',
    '"a, victim@example.com"@quoted.example',
  ];
  for (const address of addresses) await node.mailer.file(node.db, 'notice', address, composeMail({ subject: 'Two', paragraphs: ['x'] }));
  await node.mailer.sendDue();
  const { recipients, mail, raw } = delivered.find((one) => one.recipients.includes('eve@example.com'))!;
  expect(recipients).toEqual(['eve@example.com']);
  expect(mail.bcc).toBeUndefined();
  expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im);
  expect(mail.html).not.toContain('<img');
  expect(delivered.flatMap((one) => one.recipients)).not.toContain('victim@example.com');
});

it('account §7, G9: a mail is given up after some days, and what it said is gone', async () => {
  refusing = true;
  await node.mailer.file(node.db, 'notice', 'never@example.com', composeMail({ subject: 'Never', paragraphs: ['x'] }));
  for (let tried = 0; tried < 7; tried++) {
    await node.pool.query(`update mail set send_after = now() where recipient = 'never@example.com'`);
    await node.mailer.sendDue();
  }
  refusing = false;
  const { rows } = await node.pool.query(
    `select tries, content, gave_up_at is not null as gave_up from mail where recipient = 'never@example.com'`,
  );
  expect(rows).toEqual([{ tries: 7, content: null, gave_up: true }]);
});

describe('account §1: the mailbox page', () => {
  const lookAt = async (one: Pick<TestNode, 'url'>) => {
    const answer = await fetch(`${one.url}/mailbox`, { headers: { accept: 'text/html' } });
    return { answer, text: await answer.text() };
  };

  it('F2: shows what was sent as text: links of ours to follow, and nothing that runs', async () => {
    const local = await startTestWorld();
    const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>';
    const paragraphs = [`Dear ${evil}`, 'http://localhost:3000/reset/abc"onmouseover="alert(3) and javascript:alert(4)'];
    await local.mailer.file(local.db, 'notice', '<b>eve</b>@example.com', composeMail({ subject: `Hello ${evil}`, paragraphs }));
    const { answer, text } = await lookAt(local);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const articles = text.slice(text.indexOf('<article>'));
    // What people wrote opens no tag of its own.
    expect(articles.match(/<(?!\/?(article|h2|p|pre|a|main|body|html)\b)/g)).toBeNull();
    expect(articles).not.toMatch(/href="javascript/i);
    expect(articles).toContain('&#60;script&#62;alert(1)');
    expect(articles).toContain('<a href="http://localhost:3000/reset/abc&#34;onmouseover=&#34;alert(3)">');
    await local.stop();
  });

  it('is not there in production, nor where there is a mail server', async () => {
    const production = await startNode(node.database.url, { ...PRODUCTION_CONFIG, databaseUrl: node.database.url });
    for (const one of [node, production]) {
      const { answer, text } = await lookAt(one);
      expect(text).not.toContain('Mailbox');
      expect([200, 404]).toContain(answer.status);
      expect((await fetch(`${one.url}/mailbox`)).status).toBe(404);
      expect(one.app.hasRoute({ method: 'GET', url: '/mailbox' })).toBe(false);
    }
    await production.close();
  });
});
