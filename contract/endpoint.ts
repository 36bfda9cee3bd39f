/**
 * How one buyer tier is spoken to: what is sent at ping and at post, and how the answer is read. Stored as JSON per buyer
 * tier, edited in the console, compiled by server/delivery/compile-leg.ts. Secrets are only named here, never held.
 */
import { z } from 'zod';
import { checkEndpoint } from './endpoint.check.ts';
import { systemNames } from './endpoint.system.ts';
import { amountText } from './tier.ts';

const fieldName = z.string().regex(/^[A-Za-z_]\w{0,63}$/, 'Letters, digits and underscores, at most 64.');
const shortText = z.string().max(500);
const templateText = z.string().max(20_000);
const pathText = z.string().min(1).max(300);
const patternText = z.string().min(1).max(1000);

export const systemName = z.enum(systemNames);
export type SystemName = z.infer<typeof systemName>;

/** One change of a text value on its way out; applied in order. Empty values pass all of them untouched. */
export const formatter = z.discriminatedUnion('kind', [
  /** Tokens YYYY YY MMMM MMM MM M DD D HH H hh h mm m ss s A; other characters stand for themselves, [text] is literal. */
  z.strictObject({ kind: z.literal('date'), pattern: z.string().min(1).max(60), timeZone: z.string().max(60).optional() }),
  /** e164, digits, national, or a pattern whose # are filled with the national digits: (###) ###-####. */
  z.strictObject({ kind: z.literal('phone'), pattern: z.string().min(1).max(40) }),
  z.strictObject({ kind: z.literal('case'), to: z.enum(['upper', 'lower', 'title']) }),
  z.strictObject({ kind: z.literal('digits') }),
  z.strictObject({ kind: z.literal('trim') }),
  /** Accents and typographic signs become their nearest ASCII; the rest is dropped. */
  z.strictObject({ kind: z.literal('ascii') }),
  /** A decimal rounded half up to `decimals`. */
  z.strictObject({ kind: z.literal('number'), decimals: z.int().min(0).max(4) }),
  z.strictObject({ kind: z.literal('price'), decimals: z.int().min(0).max(4) }),
  z.strictObject({ kind: z.literal('cents') }),
  z.strictObject({ kind: z.literal('boolean'), yes: shortText, no: shortText }),
  z.strictObject({ kind: z.literal('hash'), algorithm: z.enum(['md5', 'sha1', 'sha256']) }),
  z.strictObject({ kind: z.literal('slice'), from: z.int().min(-500).max(500), length: z.int().min(0).max(500).optional() }),
  /** The spec's `range`: the label of the first band the number falls into, both ends included. */
  z.strictObject({
    kind: z.literal('range'),
    bands: z
      .array(z.strictObject({ from: z.number().optional(), to: z.number().optional(), label: shortText }))
      .min(1)
      .max(200),
  }),
]);
export type Formatter = z.infer<typeof formatter>;

export const valueSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('field'), field: fieldName }),
  z.strictObject({ kind: z.literal('constant'), value: z.string().max(5000) }),
  z.strictObject({ kind: z.literal('system'), name: systemName }),
  /** Read from the buyer's ping answer. */
  z.strictObject({ kind: z.literal('capture'), name: fieldName }),
  z.strictObject({ kind: z.literal('secret'), name: fieldName }),
  z.strictObject({ kind: z.literal('template'), text: templateText }),
]);
export type ValueSource = z.infer<typeof valueSource>;

/** Our value -> the buyer's; compared without case and outer blanks. Without a default an unknown value is sent as it is, with a warning. */
export const valueMap = z.strictObject({
  values: z.record(z.string().max(200), shortText),
  otherwise: shortText.optional(),
});
export type ValueMap = z.infer<typeof valueMap>;

export const mappingRow = z.strictObject({
  /** The buyer's key. In json and xml a path (`applicant.phones[0].number`, xml also `lead.@id`); in form and query the name as it is. */
  to: pathText,
  from: valueSource,
  format: z.array(formatter).max(10).optional(),
  map: valueMap.optional(),
  /** JSON only; string unless said otherwise, so that zip 01234 stays what it is. */
  type: z.enum(['string', 'number', 'boolean']).optional(),
  omitWhenEmpty: z.boolean().optional(),
});
export type MappingRow = z.infer<typeof mappingRow>;

const mapping = z.array(mappingRow).max(400);
/** The document travels inside one form field, other fields beside it. */
const wrap = z.strictObject({ parameter: z.string().min(1).max(200), beside: mapping.optional() });

/** A SOAP call: the rows inside the operation's element, which stands in the body of an envelope of ours. */
const soapBody = z.strictObject({
  format: z.literal('soap'),
  /** 1.1 names the action in the SOAPAction header, 1.2 in the content type. */
  version: z.enum(['1.1', '1.2']),
  action: z.string().max(500),
  operation: z.string().min(1).max(200),
  /** Of the operation and all below it; '' for none. */
  namespace: z.string().max(500),
  /** Markup inside the envelope's header, a template: credentials, say. */
  header: templateText.optional(),
  mapping,
});
export type SoapBody = z.infer<typeof soapBody>;

/** One e-mail to the leg's mailto: address. The rows are those of the attached XML document, where there is one. */
const mailBody = z.strictObject({
  format: z.literal('mail'),
  copyTo: z.array(z.email().max(254)).max(5).optional(),
  replyTo: z.email().max(254).optional(),
  /** Templates. A value stays on its line, and is text in HTML. */
  subject: z.string().min(1).max(500),
  text: templateText.optional(),
  html: templateText.optional(),
  attachment: z
    .strictObject({
      name: z.string().regex(/^[\w-][\w. -]{0,95}\.xml$/i, 'A file name that ends in .xml.'),
      root: z.string().min(1).max(200),
    })
    .optional(),
  mapping,
});
export type MailBody = z.infer<typeof mailBody>;

export const legBody = z.discriminatedUnion('format', [
  z.strictObject({
    format: z.literal('json'),
    mapping,
    /** Name of one object around all rows: {"Request": {...}}. */
    root: z.string().min(1).max(200).optional(),
    wrap: wrap.optional(),
  }),
  z.strictObject({
    format: z.literal('xml'),
    mapping,
    /** Element around all rows; none where `open` brings its own. */
    root: z.string().max(200).optional(),
    /** true by default: <?xml version="1.0" encoding="UTF-8"?> unless xml_header says it. */
    declaration: z.boolean().optional(),
    /** The spec's xml_header, xml_open, xml_close: markup before everything, and around the rows (a SOAP envelope, say). Templates. */
    xml_header: templateText.optional(),
    xml_open: templateText.optional(),
    xml_close: templateText.optional(),
    wrap: wrap.optional(),
  }),
  soapBody,
  z.strictObject({ format: z.literal('form'), mapping }),
  z.strictObject({ format: z.literal('query'), mapping }),
  /** Free-form body; every placeholder is escaped for the grammar named by `escape` (none: line breaks become blanks). */
  z.strictObject({
    format: z.literal('text'),
    template: templateText,
    escape: z.enum(['none', 'json', 'xml', 'url', 'csv']),
  }),
  mailBody,
]);
export type LegBody = z.infer<typeof legBody>;

const plainAuth = [
  z.strictObject({ kind: z.literal('none') }),
  /** `username` is a template; `secret` names the password. */
  z.strictObject({ kind: z.literal('basic'), username: shortText, secret: fieldName }),
  z.strictObject({ kind: z.literal('bearer'), secret: fieldName }),
] as const;

/** Where in an answer a value stands. */
export const locator = z.union([
  z.strictObject({ path: pathText }),
  /** Linear-time (RE2) expression over the whole body; `group` 1 by default, or 0 where it has none. */
  z.strictObject({ pattern: patternText, group: z.int().min(0).max(20).optional() }),
  /** A header's value, or what `pattern` finds in it. */
  z.strictObject({
    header: z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/),
    pattern: patternText.optional(),
    group: z.int().min(0).max(20).optional(),
  }),
  z.strictObject({ part: z.enum(['status', 'body']) }),
]);
export type Locator = z.infer<typeof locator>;

const scalar = z.union([shortText, z.number(), z.boolean()]);
/** A test of one place. Texts are compared whole, trimmed and without case unless `caseSensitive`. */
export const condition = z.discriminatedUnion('is', [
  z.strictObject({ at: locator, is: z.enum(['equal', 'notEqual']), value: scalar, caseSensitive: z.boolean().optional() }),
  z.strictObject({ at: locator, is: z.literal('in'), values: z.array(scalar).min(1).max(100), caseSensitive: z.boolean().optional() }),
  z.strictObject({ at: locator, is: z.enum(['present', 'absent']) }),
  /** Part of the text: warns, because "unsuccessful" contains "success". */
  z.strictObject({ at: locator, is: z.literal('contains'), value: shortText.min(1), caseSensitive: z.boolean().optional() }),
  z.strictObject({ at: locator, is: z.literal('matches'), pattern: patternText }),
  z.strictObject({ at: locator, is: z.literal('atLeast'), value: z.number() }),
  /** A boolean in any spelling: true, True, 1, "Y", "yes", "OK" / false, 0, "N", "no". */
  z.strictObject({ at: locator, is: z.enum(['true', 'false']) }),
]);
export type Condition = z.infer<typeof condition>;

export const answerOutcome = z.enum(['accepted', 'rejected', 'duplicate', 'pending', 'error']);
export const outcomeRule = z.strictObject({ outcome: answerOutcome, when: z.array(condition).min(1).max(20) });
export type OutcomeRule = z.infer<typeof outcomeRule>;

const locators = z.array(locator).min(1).max(20);
/** The first place that holds a readable price wins; with `combine` sum or highest, all values of a wildcard path count. */
export const priceRule = z.strictObject({
  at: locators,
  /** auto: "1,250.00" and "12,50" by their shape; a lone comma before three digits separates thousands. */
  decimal: z.enum(['auto', '.', ',']).optional(),
  unit: z.enum(['unit', 'cent']).optional(),
  combine: z.enum(['first', 'sum', 'highest']).optional(),
});
export type PriceRule = z.infer<typeof priceRule>;

/**
 * A list of bids, or of legs with a price each: of those of at least so much (in a ping's answer) the highest becomes the price, or the sum of all of them, and
 * what stands beside what is taken becomes captures, joined by a comma where it is several. Where none is worth it the ping is declined.
 */
export const bidsRule = z.strictObject({
  list: pathText,
  price: pathText,
  captures: z.record(fieldName, pathText).optional(),
  take: z.enum(['highest', 'all']).optional(),
  atLeast: amountText.optional(),
});

export type BidsRule = z.infer<typeof bidsRule>;

export const redirectRule = z.strictObject({
  at: locators.optional(),
  /** auto undoes one layer of percent-encoding or &amp; where it can be told. */
  decode: z.enum(['auto', 'none', 'percent', 'html']).optional(),
  /** Used where the answer holds none; placeholders are URL-encoded. Puts lead values in a URL where it names fields. */
  template: z.string().max(2000).optional(),
  schemes: z
    .array(z.enum(['https', 'http']))
    .min(1)
    .optional(),
});
export type RedirectRule = z.infer<typeof redirectRule>;

export const captureRule = z.strictObject({
  at: locators,
  /** Every value of a wildcard path, joined with this. */ join: z.string().max(5).optional(),
});
export type CaptureRule = z.infer<typeof captureRule>;

/** seconds, minutes: from now. iso: a date and time, in `timeZone` (UTC) where it names none. epoch: seconds or milliseconds by size. */
export const timeRule = z.strictObject({
  at: locators,
  unit: z.enum(['seconds', 'minutes', 'iso', 'epoch']),
  timeZone: z.string().max(60).optional(),
});
export type TimeRule = z.infer<typeof timeRule>;

/** A call made first for a token; its answer is kept until it expires. */
export const tokenCall = z.strictObject({
  url: z.string().min(1).max(4000),
  method: z.enum(['POST', 'GET', 'PUT']),
  headers: z.record(z.string().max(100), z.string().max(4000)).optional(),
  auth: z.discriminatedUnion('kind', plainAuth).optional(),
  body: legBody,
  token: locators,
  expiry: timeRule.optional(),
});
export type TokenCall = z.infer<typeof tokenCall>;

export const legAuth = z.discriminatedUnion('kind', [
  ...plainAuth,
  /** Client credentials grant (RFC 6749 §4.4); `secret` names the client secret, sent as basic authentication or in the body. */
  z.strictObject({
    kind: z.literal('oauth2'),
    tokenUrl: z.string().min(1).max(4000),
    clientId: shortText.min(1),
    secret: fieldName,
    scope: shortText.optional(),
    credentials: z.enum(['basic', 'body']).optional(),
  }),
  /** `scheme` goes before the token in Authorization ('' for the bare token); without it the token is only {{capture.access_token}}. */
  z.strictObject({
    kind: z.literal('tokenCall'),
    call: tokenCall,
    scheme: z
      .string()
      .regex(/^[A-Za-z][\w-]{0,39}$|^$/)
      .optional(),
  }),
]);
export type LegAuth = z.infer<typeof legAuth>;

/**
 * Signs the body, so that the buyer can tell that it is from us and whole (docs/signed-webhooks.md). `secret` names the key; while the
 * buyer changes over, `previous` signs too, until then.
 */
export const signing = z.strictObject({
  secret: fieldName,
  previous: z.strictObject({ secret: fieldName, until: z.iso.datetime() }).optional(),
});
export type Signing = z.infer<typeof signing>;

export const responseRules = z.strictObject({
  /** auto looks at the body, not at what Content-Type claims. */
  read: z.enum(['auto', 'json', 'xml', 'form', 'delimited', 'text']).optional(),
  /** For delimited; fields are [0], [1], ... */
  delimiter: z.string().min(1).max(5).optional(),
  /** XML that arrives entity-escaped, as a whole or inside one element. */
  unescape: z.boolean().optional(),
  /** First rule whose conditions all hold wins. */
  outcomes: z.array(outcomeRule).max(50),
  /** error by default. */
  otherwise: answerOutcome.optional(),
  price: priceRule.optional(),
  bids: bidsRule.optional(),
  redirect: redirectRule.optional(),
  reasons: locators.optional(),
  /** The buyer's codes in words. */
  reasonMap: z.record(z.string().max(200), shortText).optional(),
  captures: z.record(fieldName, captureRule).optional(),
  expiry: timeRule.optional(),
  /** How long the buyer asks to be left alone; the Retry-After header counts without a rule. */
  retryAfter: timeRule.optional(),
});
export type ResponseRules = z.infer<typeof responseRules>;

export const legConfig = z.strictObject({
  /** Template; placeholders only after the host, and always percent-encoded. For a mail mailto: and one address. */
  url: z.string().min(1).max(4000),
  method: z.enum(['POST', 'GET', 'PUT', 'PATCH']),
  /** Name -> template. */
  headers: z.record(z.string().max(100), z.string().max(4000)).optional(),
  auth: legAuth.optional(),
  sign: signing.optional(),
  body: legBody,
  /** For buyers that take ASCII only. */
  asciiOnly: z.boolean().optional(),
  /** An answer that leads elsewhere is followed, three times at most, within the time limit; no secret goes to another origin. Off by default. */
  followRedirects: z.boolean().optional(),
  /** Once more, within the time limit, where there was no connection: never after a byte has left. Off by default. */
  retryUnsent: z.boolean().optional(),
  response: responseRules,
});
export type LegConfig = z.infer<typeof legConfig>;

/** A call that only tells: of its answer nothing counts but the code (endpoint.notice.ts). */
export const noticeConfig = legConfig.omit({ response: true });
export type NoticeConfig = z.infer<typeof noticeConfig>;

/** `lost`: tells the buyer, after the sale, that another one bought what it bid for. */
export const endpointConfig = z
  .strictObject({ ping: legConfig.optional(), post: legConfig, lost: noticeConfig.optional() })
  .superRefine(checkEndpoint);
export type EndpointConfig = z.infer<typeof endpointConfig>;
