/** The building half of a leg: prepared once, then pure from lead values to a request. */

import { TOKEN_CAPTURE } from '#contract/endpoint.token.ts';
import type { LegAuth, LegBody, LegConfig } from '#contract/endpoint.ts';
import { compileBody, compilePairs } from './compile-body.ts';
import { compileMail } from './compile-mail.ts';
import { type Building, compileTemplate, type Value } from './compile-value.ts';
import { escapeHeader, escapeUrl } from './escape.ts';
import { compileSignature } from './sign-request.ts';
import type { BuildInput, WireRequest, WireWarning } from './wire.ts';

export interface BuiltRequest {
  request: WireRequest;
  warnings: WireWarning[];
}
export type Build = (input: BuildInput) => BuiltRequest;

/** Throws only on a configuration that was never validated. */
export function compileRequest(leg: LegConfig): Build {
  if (leg.body.format === 'mail') return compileMail(leg, leg.body);
  const url = compileUrl(leg);
  const body = compileBody(leg.body);
  const headers = compileHeaders(leg);
  const sign = leg.sign && compileSignature(leg.sign);
  return (input) => {
    const building: Building = { input, warnings: [], asciiOnly: leg.asciiOnly ?? false };
    const request: WireRequest = { method: leg.method, url: url(building), headers: headers(building) };
    if (body && leg.method !== 'GET') request.body = body(building);
    if (sign) Object.assign(request.headers, sign(request.body ?? '', building));
    return { request, warnings: building.warnings };
  };
}

/** Query rows follow what the address itself brings. */
function compileUrl(leg: LegConfig): Value {
  const address = escapeLiteral(leg.url);
  const mark = address.search(/\?(?![^{]*\}\})/);
  const path = compileTemplate(mark < 0 ? address : address.slice(0, mark), escapePathValue);
  const ownQuery = compileTemplate(mark < 0 ? '' : address.slice(mark + 1), escapeUrl);
  const rows = leg.body.format === 'query' ? compilePairs(leg.body.mapping) : () => '';
  return (building) => {
    const query = [ownQuery(building), rows(building)].filter((part) => part !== '').join('&');
    return query === '' ? path(building) : `${path(building)}?${query}`;
  };
}

/** Literal text outside ASCII is written as a URL wants it; placeholders are left for the template. */
function escapeLiteral(url: string): string {
  const hostEnd = /^https?:\/\/[^/?#]+/i.exec(url)?.[0].length ?? 0;
  const origin = URL.canParse(url.slice(0, hostEnd)) ? new URL(url.slice(0, hostEnd)).origin : url.slice(0, hostEnd);
  const rest = url.slice(hostEnd).replace(/[^\x21-\x7e]+(?![^{]*\}\})/g, (text) => encodeURI(text.toWellFormed()));
  return `${origin}${rest.startsWith('/') ? '' : '/'}${rest}`;
}

/** A value of only dots would climb the path wherever it is normalised. */
function escapePathValue(text: string): string {
  return /^\.+$/.test(text) ? `${text}%20` : escapeUrl(text);
}

function compileHeaders(leg: LegConfig): (building: Building) => Record<string, string> {
  const auth = compileAuth(leg.auth);
  const action = leg.body.format === 'soap' && leg.body.version === '1.1' ? `"${leg.body.action}"` : undefined;
  const rows = Object.entries(leg.headers ?? {}).map(([name, text]) => [name.toLowerCase(), compileTemplate(text, escapeHeader)] as const);
  const contentType = leg.method === 'GET' ? undefined : contentTypeOf(leg.body);
  return (building) => {
    const headers: Record<string, string> = {};
    if (contentType) headers['content-type'] = contentType;
    if (action !== undefined) headers.soapaction = action;
    if (auth) headers.authorization = auth(building);
    for (const [name, value] of rows) headers[name] = escapeHeader(value(building));
    return headers;
  };
}

function compileAuth(auth: LegAuth | undefined): Value | undefined {
  switch (auth?.kind) {
    case undefined:
    case 'none':
      return undefined;
    case 'bearer':
      return compileTemplate(`Bearer {{secret.${auth.secret}}}`, escapeHeader);
    case 'oauth2':
      return compileTemplate(`Bearer {{capture.${TOKEN_CAPTURE}}}`, escapeHeader);
    case 'tokenCall':
      return auth.scheme === undefined ? undefined : compileTemplate(`${auth.scheme} {{capture.${TOKEN_CAPTURE}}}`.trim(), escapeHeader);
    case 'basic': {
      const credentials = compileTemplate(`${auth.username}:{{secret.${auth.secret}}}`, (text) => text);
      return (building) => `Basic ${Buffer.from(credentials(building), 'utf8').toString('base64')}`;
    }
  }
}

function contentTypeOf(body: LegBody): string | undefined {
  const form = 'application/x-www-form-urlencoded; charset=utf-8';
  switch (body.format) {
    case 'json':
      return body.wrap ? form : 'application/json; charset=utf-8';
    case 'xml':
      return body.wrap ? form : 'text/xml; charset=utf-8';
    case 'soap':
      return body.version === '1.1' ? 'text/xml; charset=utf-8' : soapType(body.action);
    case 'form':
      return form;
    case 'query':
    case 'mail':
      return undefined;
    case 'text':
      return {
        none: 'text/plain; charset=utf-8',
        json: 'application/json; charset=utf-8',
        xml: 'text/xml; charset=utf-8',
        url: form,
        csv: 'text/csv; charset=utf-8',
      }[body.escape];
  }
}

/** SOAP 1.2 names the action in the content type (RFC 3902). */
function soapType(action: string): string {
  return `application/soap+xml; charset=utf-8${action === '' ? '' : `; action="${action}"`}`;
}
