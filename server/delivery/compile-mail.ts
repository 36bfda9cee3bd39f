/** A lead as one e-mail: subject, text, HTML and an attached document, every value escaped for where it stands. */

import { plainEmail } from '#contract/email.ts';
import type { LegConfig, MailBody } from '#contract/endpoint.ts';
import type { OutsideMail } from '#server/mail/lead-mails.ts';
import type { Build } from './compile-request.ts';
import { type Building, compileTemplate } from './compile-value.ts';
import { escapeLine, escapeXml } from './escape.ts';
import { growTree } from './target-tree.ts';
import type { WireRequest } from './wire.ts';
import { writeXml } from './write-xml.ts';

/** In HTML a value is text: what XML escapes is what HTML escapes. A line of its own stays one in a subject and in plain text. */
export function compileMail(leg: LegConfig, body: MailBody): Build {
  const subject = compileTemplate(body.subject, escapeLine);
  const text = body.text ? compileTemplate(body.text, escapeLine) : undefined;
  const html = body.html ? compileTemplate(body.html, escapeXml) : undefined;
  const document = body.attachment && { name: body.attachment.name, root: body.attachment.root, tree: growTree(body.mapping, 'apart') };
  const to = plainEmail(leg.url.replace(/^mailto:/i, ''));
  return (input) => {
    const building: Building = { input, warnings: [], asciiOnly: leg.asciiOnly ?? false };
    const mail: OutsideMail = { to, copyTo: body.copyTo ?? [], subject: subject(building).slice(0, SUBJECT_LETTERS) };
    if (body.replyTo) mail.replyTo = body.replyTo;
    if (text) mail.text = text(building);
    if (html) mail.html = html(building);
    if (document) {
      const content = `<?xml version="1.0" encoding="UTF-8"?>${writeXml(document.root, document.tree, building)}`;
      mail.attachment = { name: document.name, content };
    }
    return { request: requestOf(leg.url, mail), warnings: building.warnings };
  };
}

/** A line of a mail has at most 998 (RFC 5322 §2.1.1); nobody reads as many. */
const SUBJECT_LETTERS = 300;

/** As the attempt log and the preview show it: the headers a reader sees, then the parts, each under its name. */
function requestOf(url: string, mail: OutsideMail): WireRequest {
  const headers: Record<string, string> = { to: mail.to, subject: mail.subject };
  if (mail.copyTo.length > 0) headers.cc = mail.copyTo.join(', ');
  if (mail.replyTo) headers['reply-to'] = mail.replyTo;
  const parts = [
    mail.text,
    mail.html && `--- HTML ---\n${mail.html}`,
    mail.attachment && `--- ${mail.attachment.name} ---\n${mail.attachment.content}`,
  ];
  return { method: 'MAIL', url, headers, body: parts.filter(Boolean).join('\n\n'), mail };
}
