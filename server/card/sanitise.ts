/** HTML that somebody of the organization wrote, made fit to be shown to anybody: no script, no style, no other page inside, links of the web only. */
import sanitizeHtml from 'sanitize-html';
import { linkAddress } from '#contract/link-address.ts';

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ['p', 'br', 'strong', 'b', 'em', 'i', 'u', 'ul', 'ol', 'li', 'a', 'h2', 'h3', 'blockquote', 'hr'],
  allowedAttributes: { a: ['href', 'rel', 'target'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  // Their content goes with them.
  nonTextTags: ['style', 'script', 'textarea', 'option', 'noscript', 'svg', 'math', 'iframe', 'object', 'template', 'title'],
  transformTags: {
    a: (tagName, { href = '' }) => {
      const address = linkAddress(href);
      return { tagName, attribs: { ...(address !== undefined && { href: address }), rel: 'noopener nofollow', target: '_blank' } };
    },
  },
};

export const sanitise = (html: string): string => sanitizeHtml(html, OPTIONS).trim();

/** Nothing that anybody could read. */
export const isBlankHtml = (html: string): boolean =>
  sanitizeHtml(html, { allowedTags: [], allowedAttributes: {} }).replaceAll(/&nbsp;|\s/g, '') === '';
