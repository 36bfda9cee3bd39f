/** Where mail lands when there is no mail server: a page that only local and test installations have. */
import type { FastifyInstance } from 'fastify';
import type { Db } from '#server/kit/database.ts';
import type { Mailer, ReadMail } from './mail.ts';

const SHOWN = 50;

export async function mailboxRoutes(app: FastifyInstance, { db, mailer }: { db: Db; mailer: Mailer }): Promise<void> {
  app.get('/mailbox', { schema: { hide: true } }, async (_request, reply) => {
    const mails = await mailer.read(db, SHOWN);
    // Mails hold what people wrote: their links work, their scripts, were there any, do not.
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'");
    return reply.type('text/html; charset=utf-8').send(pageOf(mails));
  });
}

function pageOf(mails: ReadMail[]): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mailbox · Sluice</title>
<style>
  :root { color-scheme: light dark; --line: #8884; --ink: light-dark(#0d2330, #dce8ed); --muted: light-dark(#516773, #9bb1bc); --accent: light-dark(#0b6685, #6cc8e2) }
  body { margin: 0 auto; max-width: 720px; padding: 24px 16px 64px; font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: light-dark(#f2f6f8, #0c1a23) }
  article { margin: 16px 0; padding: 16px 20px; border: 1px solid var(--line); border-radius: 12px; background: light-dark(#fff, #13232d) }
  h2 { margin: 0; font-size: 17px } .to { margin: 2px 0 12px; color: var(--muted); font-size: 13px } pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit } a { color: var(--accent) }
</style></head><body><main><h1>Mailbox</h1><p>No mail server is set (SMTP_URL), so mail lands here. Newest first.</p>
${mails.length === 0 ? '<p>No mail yet.</p>' : mails.map(articleOf).join('\n')}</main></body></html>`;
}

function articleOf({ subject, recipient, createdAt, text }: ReadMail): string {
  const when = createdAt.toISOString().replace('T', ' ').slice(0, 19);
  return `<article><h2>${escapeHtml(subject)}</h2><p class="to">to ${escapeHtml(recipient)}, ${when} UTC</p><pre>${linked(text)}</pre></article>`;
}

/** Web addresses become links; nothing else does. */
function linked(text: string): string {
  return escapeHtml(text).replace(/https?:\/\/[^\s<>"']+/g, (url) => `<a href="${url}">${url}</a>`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
