/** What zod cannot see of an endpoint: URLs, headers, expressions, templates, paths and the names they refer to. Refused at save. */
import type { z } from 'zod';
import { openPatternBudget, type PatternBudget } from '#engine/pattern.ts';
import { mailAddressProblem, urlProblem } from './endpoint.address.ts';
import { noticeLeg, tellsWinningPrice } from './endpoint.notice.ts';
import { type PathStep, parsePath } from './endpoint.path.ts';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from './endpoint.signature.ts';
import { type Placeholder, parseTemplate } from './endpoint.template.ts';
import { TOKEN_CAPTURE, tokenLegOf } from './endpoint.token.ts';
import type {
  CaptureRule,
  EndpointConfig,
  LegConfig,
  Locator,
  MailBody,
  MappingRow,
  ResponseRules,
  Signing,
  SoapBody,
} from './endpoint.ts';

export interface EndpointProblem {
  path: (string | number)[];
  message: string;
}

/** zod refinement: every problem becomes an issue at its place. */
export function checkEndpoint(endpoint: EndpointConfig, context: z.RefinementCtx): void {
  for (const problem of endpointProblems(endpoint)) context.addIssue({ code: 'custom', path: problem.path, message: problem.message });
}

/** All patterns that answers may meet, of ping, post and token calls together. */
const ENDPOINT_PATTERNS = { patterns: 20, size: 2_000 };

export function endpointProblems(endpoint: EndpointConfig): EndpointProblem[] {
  const problems: EndpointProblem[] = [];
  const known = new Set([
    ...Object.keys(endpoint.ping?.response.captures ?? {}),
    ...Object.keys(endpoint.ping?.response.bids?.captures ?? {}),
  ]);
  const patterns = openPatternBudget('an endpoint', ENDPOINT_PATTERNS);
  if (endpoint.ping?.body.format === 'mail') {
    problems.push({ path: ['ping', 'body', 'format'], message: 'A mail brings no bid. Ask for bids another way.' });
  }
  if (endpoint.ping) checkLeg(endpoint.ping, ['ping'], new Set(), patterns, problems);
  checkLeg(endpoint.post, ['post'], known, patterns, problems);
  checkNotice(endpoint, known, patterns, problems);
  return problems;
}

type Path = EndpointProblem['path'];

/** What the winner paid is known to nobody before there is one. */
function checkNotice(endpoint: EndpointConfig, known: Set<string>, patterns: PatternBudget, problems: EndpointProblem[]): void {
  for (const name of ['ping', 'post'] as const)
    if (tellsWinningPrice(endpoint[name])) problems.push({ path: [name], message: 'The winning price is known to a loss notice only.' });
  if (!endpoint.lost) return;
  if (endpoint.lost.body.format === 'mail')
    problems.push({ path: ['lost', 'body', 'format'], message: 'A loss notice is a call; it is not sent by e-mail.' });
  checkLeg(noticeLeg(endpoint.lost), ['lost'], known, patterns, problems);
}

/** Collects problems of one leg; `fromPing` are the captured names its placeholders may use. */
function checkLeg(leg: LegConfig, at: Path, fromPing: Set<string>, patterns: PatternBudget, problems: EndpointProblem[]): void {
  const captures = tokenLegOf(leg.auth) ? new Set([...fromPing, TOKEN_CAPTURE]) : fromPing;
  const report = (path: Path, message: string | undefined) => {
    if (message) problems.push({ path: [...at, ...path], message });
  };
  const template = (path: Path, text: string) => report(path, templateProblem(text, captures));
  report(['url'], leg.body.format === 'mail' ? mailAddressProblem(leg.url) : urlProblem(leg.url));
  template(['url'], leg.url);
  for (const [name, value] of Object.entries(leg.headers ?? {})) {
    report(['headers', name], headerProblem(name, value) ?? takenHeaderProblem(leg, name));
    template(['headers', name], value);
  }
  if (leg.auth?.kind === 'basic') template(['auth', 'username'], leg.auth.username);
  if (leg.sign) checkSigning(leg, leg.sign, report);
  checkTokenCall(leg, at, patterns, problems);
  checkBody(leg, captures, report);
  checkResponse(leg.response, captures, patterns, report);
}

/** The call for a token is a leg like another; its problems stand at the authentication. */
function checkTokenCall(leg: LegConfig, at: Path, patterns: PatternBudget, problems: EndpointProblem[]): void {
  const call = tokenLegOf(leg.auth);
  if (!call) return;
  const found: EndpointProblem[] = [];
  if (call.body.format === 'mail') found.push({ path: [], message: 'A mail brings no token.' });
  checkLeg(call, [], new Set(), patterns, found);
  const place = leg.auth?.kind === 'tokenCall' ? 'call' : 'tokenUrl';
  problems.push(...found.map(({ message }) => ({ path: [...at, 'auth', place], message })));
}

type Report = (path: Path, message: string | undefined) => void;

function checkBody(leg: LegConfig, captures: Set<string>, report: Report): void {
  const body = leg.body;
  if (body.format === 'text') {
    report(['body', 'template'], templateProblem(body.template, captures));
    return;
  }
  checkRows(body.mapping, ['body', 'mapping'], body.format, captures, report);
  if (body.format === 'json' && body.root !== undefined && body.mapping.some((row) => row.to.startsWith('[')))
    report(['body', 'root'], 'A list has no object around it. Take the name or the positions away.');
  if (body.format === 'xml') checkXml(body, captures, report);
  if (body.format === 'soap') checkSoap(body, captures, report);
  if (body.format === 'mail') checkMail(leg, body, captures, report);
  if ((body.format === 'json' || body.format === 'xml') && body.wrap?.beside) {
    checkRows(body.wrap.beside, ['body', 'wrap', 'beside'], 'form', captures, report);
    const clash = body.wrap.beside.findIndex((row) => row.to === body.wrap?.parameter);
    if (clash >= 0) report(['body', 'wrap', 'beside', clash, 'to'], 'This name is taken by the document itself.');
  }
  if (leg.method === 'GET' && body.format !== 'query') report(['method'], 'GET has no body; use the query format.');
}

/** Targets are paths in json and xml, and taken as they are in form and query. */
function checkRows(rows: MappingRow[], at: Path, format: LegConfig['body']['format'], captures: Set<string>, report: Report): void {
  const nested = format !== 'form' && format !== 'query';
  const seen = new Set<string>();
  rows.forEach((row, index) => {
    if (seen.has(row.to)) report([...at, index, 'to'], `"${row.to}" is sent twice.`);
    seen.add(row.to);
    if (nested) report([...at, index, 'to'], targetProblem(row.to));
    if (row.from.kind === 'template') report([...at, index, 'from', 'text'], templateProblem(row.from.text, captures));
    if (row.from.kind === 'capture' && !captures.has(row.from.name)) report([...at, index, 'from', 'name'], unknownCapture(row.from.name));
  });
  if (nested) reportClashes(rows, at, format === 'json' ? 'json' : 'xml', report);
}

/** `a` and `a.b` cannot both be sent, unless `a.@b` is an XML attribute of it; nor `a[0]` beside `a.b`. */
function reportClashes(rows: MappingRow[], at: Path, format: 'json' | 'xml', report: Report): void {
  const leaves = new Map<string, number>();
  const parents = new Map<string, string>();
  rows.forEach((row, index) => {
    const parsed = parsePath(row.to);
    if (!parsed.ok) return;
    const keys = parsed.steps.map(stepText);
    leaves.set(keys.join(''), index);
    keys.forEach((_, depth) => {
      const parent = keys.slice(0, depth).join('');
      const step = parsed.steps[depth]!;
      if (step.kind === 'attribute' && format === 'xml') return;
      const shape = step.kind === 'index' ? 'list' : 'group';
      if ((parents.get(parent) ?? shape) !== shape) report([...at, index, 'to'], `"${row.to}" mixes positions and names in one place.`);
      parents.set(parent, shape);
    });
  });
  for (const [key, index] of leaves) {
    if (parents.has(key)) report([...at, index, 'to'], `"${rows[index]!.to}" is a value and a group at once.`);
  }
}

function stepText(step: PathStep): string {
  return JSON.stringify(step);
}

/** What may be sent as a target: no wildcards, attributes only at the end, no huge positions. */
function targetProblem(to: string): string | undefined {
  const parsed = parsePath(to);
  if (!parsed.ok) return parsed.problem;
  if (parsed.steps.some((step) => step.kind === 'anyKey' || step.kind === 'anyItem')) return 'A wildcard cannot be sent.';
  if (parsed.steps.slice(0, -1).some((step) => step.kind === 'attribute')) return 'An attribute has nothing below it.';
  if (parsed.steps.some((step) => step.kind === 'index' && step.index > 99)) return 'A list has at most 100 items.';
  return undefined;
}

const xmlName = /^[\p{L}_][\p{L}\p{N}_.-]*(?::[\p{L}_][\p{L}\p{N}_.-]*)?$/u;

function checkXml(body: Extract<LegConfig['body'], { format: 'xml' }>, captures: Set<string>, report: Report): void {
  if (body.root !== undefined && !xmlName.test(body.root)) report(['body', 'root'], 'Not a name of an XML element.');
  if (body.root === undefined && !body.xml_open) report(['body', 'root'], 'An XML document needs a root element or xml_open.');
  for (const key of ['xml_header', 'xml_open', 'xml_close'] as const) {
    if (body[key] !== undefined) report(['body', key], templateProblem(body[key], captures));
  }
  report(['body', 'xml_close'], balanceProblem(body.xml_open ?? '', body.xml_close ?? ''));
  checkXmlRows(body.mapping, body.root !== undefined, report);
}

function checkXmlRows(rows: MappingRow[], hasRoot: boolean, report: Report): void {
  rows.forEach((row, index) => {
    const parsed = parsePath(row.to);
    const first = parsed.ok ? parsed.steps[0] : undefined;
    if (first?.kind === 'index') report(['body', 'mapping', index, 'to'], 'An XML path begins with a name.');
    if (first?.kind === 'attribute' && !hasRoot) report(['body', 'mapping', index, 'to'], 'An attribute needs an element.');
    const names = parsed.ok
      ? parsed.steps.flatMap((step) => (step.kind === 'key' ? [step.key] : step.kind === 'attribute' ? [step.name] : []))
      : [];
    if (names.some((name) => !xmlName.test(name))) report(['body', 'mapping', index, 'to'], 'Not a name of an XML element or attribute.');
  });
}

function checkSoap(body: SoapBody, captures: Set<string>, report: Report): void {
  if (!xmlName.test(body.operation) || body.operation.includes(':')) report(['body', 'operation'], 'Not a name of an XML element.');
  if (!/^[!#-;=?-~]*$/.test(body.action)) report(['body', 'action'], 'An action has no blanks and no quotation marks.');
  if (!/^[^\s<>"]*$/.test(body.namespace)) report(['body', 'namespace'], 'A namespace has no blanks, brackets or quotation marks.');
  if (body.header !== undefined) {
    report(['body', 'header'], templateProblem(body.header, captures));
    report(['body', 'header'], balanceProblem(body.header, ''));
  }
  checkXmlRows(body.mapping, true, report);
}

function checkMail(leg: LegConfig, body: MailBody, captures: Set<string>, report: Report): void {
  for (const key of ['subject', 'text', 'html'] as const) {
    if (body[key] !== undefined) report(['body', key], templateProblem(body[key], captures));
  }
  if (/[\r\n]/.test(body.subject)) report(['body', 'subject'], 'A subject is one line.');
  if (!body.text && !body.html && !body.attachment)
    report(['body', 'text'], 'The mail says nothing: write a text, HTML, or attach the document.');
  if (body.attachment && !xmlName.test(body.attachment.root)) report(['body', 'attachment', 'root'], 'Not a name of an XML element.');
  if (!body.attachment && body.mapping.length > 0)
    report(['body', 'attachment'], 'The rows are those of an attached document, and none is.');
  checkXmlRows(body.mapping, true, report);
  if (leg.auth && leg.auth.kind !== 'none')
    report(['auth'], 'A mail goes through our own mail server; it has no authentication of the buyer’s.');
  if (Object.keys(leg.headers ?? {}).length > 0) report(['headers'], 'A mail takes no headers of your own.');
  if (leg.followRedirects) report(['followRedirects'], 'A mail is not redirected.');
  if (leg.retryUnsent) report(['retryUnsent'], 'A mail goes through our own mail server; it is not sent again.');
}

/** Signed is what travels in a body. */
function checkSigning(leg: LegConfig, { secret, previous }: Signing, report: Report): void {
  if (leg.method === 'GET' || leg.body.format === 'query') report(['sign'], 'Only a body can be signed; a query has none.');
  if (leg.body.format === 'mail') report(['sign'], 'A mail cannot be signed this way.');
  if (previous?.secret === secret) report(['sign', 'previous'], 'The previous secret is the one that signs now.');
}

/** Headers that a part of the leg writes itself. */
function takenHeaderProblem(leg: LegConfig, name: string): string | undefined {
  const lower = name.toLowerCase();
  if (leg.sign && (lower === SIGNATURE_HEADER || lower === TIMESTAMP_HEADER)) return `The header ${name} is written by the signature.`;
  if (leg.body.format === 'soap' && (lower === 'soapaction' || lower === 'content-type'))
    return `The header ${name} is written by the SOAP call.`;
  return undefined;
}

/** The elements that xml_open leaves open are the ones xml_close closes, innermost first. */
function balanceProblem(open: string, close: string): string | undefined {
  const stack: string[] = [];
  for (const [, slash, name, selfClosed] of `${open}${close}`.matchAll(/<(\/?)([^\s<>/!?]+)[^<>]*?(\/?)>/g)) {
    if (selfClosed) continue;
    if (!slash) stack.push(name!);
    else if (stack.pop() !== name) return `</${name}> closes nothing that is open.`;
  }
  return stack.length > 0 ? `<${stack.at(-1)}> is not closed.` : undefined;
}

const forbiddenHeaders = new Set([
  ...['content-length', 'host', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect'],
  ...['proxy-authorization', 'proxy-connection', 'x-deadline-ms', 'accept-encoding', 'content-encoding'],
]);

function headerProblem(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return 'Not a header name.';
  if (forbiddenHeaders.has(name.toLowerCase())) return `The header ${name} is set by the platform.`;
  if (/[\r\n\0]/.test(value)) return 'A header is one line.';
  return undefined;
}

function templateProblem(text: string, captures: Set<string>): string | undefined {
  const parsed = parseTemplate(text);
  if (!parsed.ok) return parsed.problem;
  const unknown = parsed.parts
    .filter((part): part is Placeholder => typeof part !== 'string')
    .find((part) => part.from.kind === 'capture' && !captures.has(part.from.name));
  return unknown?.from.kind === 'capture' ? unknownCapture(unknown.from.name) : undefined;
}

function unknownCapture(name: string): string {
  return `"${name}" is not captured from the ping answer.`;
}

function checkResponse(rules: ResponseRules, captures: Set<string>, patterns: PatternBudget, report: Report): void {
  rules.outcomes.forEach((rule, r) => {
    rule.when.forEach((test, c) => {
      const at = ['response', 'outcomes', r, 'when', c];
      report([...at, 'at'], locatorProblem(test.at, patterns));
      if (test.is === 'matches') report([...at, 'pattern'], patternProblem(patterns, test.pattern));
    });
  });
  const places = (path: Path, list: Locator[] | undefined) => {
    for (const [index, place] of (list ?? []).entries()) report([...path, index], locatorProblem(place, patterns));
  };
  places(['response', 'price', 'at'], rules.price?.at);
  places(['response', 'redirect', 'at'], rules.redirect?.at);
  places(['response', 'reasons'], rules.reasons);
  places(['response', 'expiry', 'at'], rules.expiry?.at);
  places(['response', 'retryAfter', 'at'], rules.retryAfter?.at);
  for (const [name, rule] of Object.entries<CaptureRule>(rules.captures ?? {})) places(['response', 'captures', name, 'at'], rule.at);
  for (const path of bidPaths(rules)) report(['response', 'bids'], pathProblem(path));
  if (rules.redirect?.template) checkRedirectTemplate(rules, rules.redirect.template, captures, report);
  if (rules.read === 'delimited' && !rules.delimiter) report(['response', 'delimiter'], 'Say which character separates the fields.');
}

function checkRedirectTemplate(rules: ResponseRules, text: string, captures: Set<string>, report: Report): void {
  const own = [...Object.keys(rules.captures ?? {}), ...Object.keys(rules.bids?.captures ?? {})];
  const known = new Set([...captures, ...own].filter((name) => name !== TOKEN_CAPTURE));
  report(['response', 'redirect', 'template'], urlProblem(text) ?? secretProblem(text) ?? templateProblem(text, known));
}

/** The address of a redirect is seen by the consumer, and by everybody on the way. */
function secretProblem(text: string): string | undefined {
  const parsed = parseTemplate(text);
  const sources = parsed.ok ? parsed.parts.filter((part): part is Placeholder => typeof part !== 'string').map((part) => part.from) : [];
  const isSecret = ({ kind, ...from }: Placeholder['from']) =>
    kind === 'secret' ||
    ('name' in from && ((kind === 'system' && from.name === 'password') || (kind === 'capture' && from.name === TOKEN_CAPTURE)));
  return sources.some(isSecret) ? 'A redirect is seen by the consumer and cannot hold a secret. Take it out of the address.' : undefined;
}

function bidPaths(rules: ResponseRules): string[] {
  return rules.bids ? [rules.bids.list, rules.bids.price, ...Object.values<string>(rules.bids.captures ?? {})] : [];
}

function locatorProblem(place: Locator, patterns: PatternBudget): string | undefined {
  if ('path' in place) return pathProblem(place.path);
  if ('pattern' in place && place.pattern !== undefined) return patternProblem(patterns, place.pattern, place.group);
  return undefined;
}

function pathProblem(path: string): string | undefined {
  const parsed = parsePath(path);
  return parsed.ok ? undefined : parsed.problem;
}

/** RE2 has no look-around and no back-references: those are refused here, and what would cost too much. */
function patternProblem(patterns: PatternBudget, text: string, group = 0): string | undefined {
  const pattern = patterns.take(text);
  if (typeof pattern === 'string') return `${pattern.charAt(0).toUpperCase()}${pattern.slice(1)}.`;
  return group > pattern.groups ? `The expression has ${pattern.groups} groups.` : undefined;
}
