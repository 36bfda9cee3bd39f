/** Where the consumer is sent: found in the answer or made from a template, decoded once, http(s) only. */
import type { RedirectRule } from '#contract/endpoint.ts';
import { type Building, compileTemplate } from './compile-value.ts';
import { escapeUrl } from './escape.ts';
import { compileLocator, firstText } from './locate.ts';
import type { OpenedAnswer } from './open-answer.ts';
import { decodeEntities } from './read-xml.ts';
import type { BuildInput, WarningCode } from './wire.ts';

export type ReadRedirect = (
  answer: OpenedAnswer,
  input: BuildInput,
  captures: Record<string, string>,
  warn: (code: WarningCode) => void,
  answeredBy?: string,
) => string | undefined;

/** `baseUrl` is the leg's own address, for relative redirects of whoever was called there; `answeredBy` another that answered in its place. */
export function compileRedirect(rule: RedirectRule | undefined, baseUrl: string): ReadRedirect {
  if (!rule) return () => undefined;
  const places = (rule.at ?? []).map(compileLocator);
  const template = rule.template === undefined ? undefined : compileTemplate(rule.template, escapeUrl);
  return (answer, input, captures, warn, answeredBy = baseUrl) => {
    const found = firstText(places, answer);
    if (found) return checkUrl(decodeOnce(found, rule.decode ?? 'auto'), answeredBy, rule.schemes ?? ['https', 'http'], warn);
    const building: Building = {
      input: { ...input, call: { ...input.call, captures: { ...input.call.captures, ...captures } } },
      warnings: [],
      asciiOnly: false,
    };
    return template?.(building);
  };
}

const encoded = /^(?:https?%3a|%2f)/i;

function decodeOnce(text: string, how: NonNullable<RedirectRule['decode']>): string {
  if (how === 'percent' || (how === 'auto' && encoded.test(text))) return percentDecoded(text);
  if (how === 'html' || (how === 'auto' && text.includes('&amp;'))) return decodeEntities(text);
  return text;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function checkUrl(text: string, baseUrl: string, schemes: readonly string[], warn: (code: WarningCode) => void): string | undefined {
  const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(text);
  const url = URL.canParse(text, baseUrl) ? new URL(text, baseUrl) : undefined;
  if (!url || !schemes.includes(url.protocol.slice(0, -1)) || url.username !== '' || url.password !== '') {
    warn('redirect-refused');
    return undefined;
  }
  if (isRelative) warn('redirect-relative');
  if (url.protocol === 'http:') warn('redirect-not-https');
  return url.href;
}
