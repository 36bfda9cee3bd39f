/** One look for every mail: a paragraph or two, at most one button, plain text beside the HTML. */
import type { MailContent } from './mail.ts';

export interface Letter {
  subject: string;
  /** Paragraphs; values of people and organizations come in as they are and are escaped here. */
  paragraphs: string[];
  button?: { label: string; url: string };
  /** Small print under the button. */
  after?: string[];
}

export function composeMail({ subject, paragraphs, button, after = [] }: Letter): MailContent {
  const text = [...paragraphs, ...(button ? [`${button.label}: ${button.url}`] : []), ...after].join('\n\n');
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(oneLine(subject))}</title></head>
<body style="margin:0;background:#f2f6f8;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#0d2330">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#fff;border:1px solid #dbe5ea;border-radius:12px">
<tr><td style="padding:28px 32px 8px;font-size:17px;font-weight:700;color:#0b6685">Sluice</td></tr>
<tr><td style="padding:0 32px 28px;font-size:15px;line-height:1.55">
${paragraphs.map((one) => `<p style="margin:12px 0">${escapeHtml(one)}</p>`).join('\n')}
${button ? `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:11px 22px;border-radius:8px;background:#0b6685;color:#fff;font-weight:600;text-decoration:none">${escapeHtml(button.label)}</a></p>` : ''}
${after.map((one) => `<p style="margin:10px 0;font-size:13px;color:#516773">${escapeHtml(one)}</p>`).join('\n')}
</td></tr></table></td></tr></table></body></html>`;
  return { subject: oneLine(subject), text, html };
}

/** A subject is one header line: names that people chose may hold anything. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').slice(0, 200);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
