/** Rows that stand beside a lead's result and are written in one statement with it: questions to services, references, promotions, variants, landing pages, links, loss notices, calls of webhooks. */
import { type Blobs, list, quoted, type ResultRow, timeText } from './lead.sql.ts';
import type { Statement } from './writer.ts';

/** Rows that few batches have; every other batch is the same statement as ever. */
interface Beside {
  name: string;
  table: string;
  /** Column and type; of a sealed one, whose text stands in the blob, two arrays say where: `<name>_at` and `<name>_length`. */
  columns: [name: string, type: string][];
  sealed?: string;
  /** An array for each column, and the two of the sealed one. */
  values: unknown[];
}

/** Before `write_batch` and in its transaction, as arrays that follow its own parameters. */
export function withBeside(statement: Statement, all: Beside[]): Statement {
  if (all.length === 0) return statement;
  const values = [...statement.values];
  const parts = all.map((one) => {
    const columns = [
      ...one.columns,
      ...(one.sealed ? [`${one.sealed}_at`, `${one.sealed}_length`].map((name) => [name, 'int'] as const) : []),
    ];
    const arrays = columns.map(([, type], at) => `$${values.length + at + 1}::${type}[]`);
    values.push(...one.values);
    const kept = one.columns.map(([name]) => name);
    return `${one.name} as (
    insert into ${one.table} (organization_id, ${kept.join(', ')}${one.sealed ? `, ${one.sealed}` : ''})
      select $1::uuid, ${kept.map((name) => `n.${name}`).join(', ')}${one.sealed ? `, substring($5::bytea from n.${one.sealed}_at for n.${one.sealed}_length)` : ''}
      from unnest(${arrays.join(', ')}) as n (${columns.map(([name]) => name).join(', ')})
      on conflict do nothing)`;
  });
  const name = `${statement.name}_and_${all.map((one) => one.name).join('_')}`;
  return { name, text: `with ${parts.join(', ')} ${statement.text}`, values };
}

/** What of it a batch has. */
export function besideOf(results: ResultRow[], blob: Blobs): Beside[] {
  const all = [
    callsBeside(results, blob),
    referencesBeside(results),
    promotionsBeside(results),
    variantsBeside(results),
    pagesBeside(results),
    redirectsBeside(results, blob),
    noticesBeside(results),
    webhooksBeside(results),
  ];
  return all.filter((one) => one !== undefined);
}

/** Questions to third-party services; undefined when nobody was asked. */
function callsBeside(results: ResultRow[], blob: Blobs): Beside | undefined {
  const rows = results.flatMap((result) => result.checks.map((check) => ({ result, check, wire: blob.add(check.wire) })));
  if (rows.length === 0) return undefined;
  const columns: Record<string, [type: string, values: string]> = {
    lead_id: ['uuid', list(rows, (row) => row.result.leadId)],
    call_index: ['smallint', list(rows, (row) => row.check.index)],
    vertical_id: ['uuid', list(rows, (row) => row.result.verticalId)],
    service_id: ['uuid', list(rows, (row) => row.check.serviceId)],
    purpose: ['text', list(rows, (row) => row.check.purpose)],
    subject_id: ['uuid', list(rows, (row) => row.check.subjectId)],
    test: ['boolean', list(rows, (row) => row.result.test)],
    outcome: ['text', list(rows, (row) => row.check.outcome)],
    started_at: ['timestamptz', list(rows, (row) => timeText(row.check.startedAt))],
    elapsed_ms: ['real', list(rows, (row) => row.check.elapsedMs)],
    connect_ms: ['real', list(rows, (row) => row.check.connectMs)],
    wait_ms: ['real', list(rows, (row) => row.check.waitMs)],
    read_ms: ['real', list(rows, (row) => row.check.readMs)],
    status_code: ['smallint', list(rows, (row) => row.check.statusCode)],
  };
  const places = [list(rows, (row) => row.wire[0]), list(rows, (row) => row.wire[1])];
  const { columns: kept, values } = columnsOf(columns);
  return { name: 'calls', table: 'service_call', columns: kept, sealed: 'wire', values: [...values, ...places] };
}

/** How buyers that will answer later call their leads; undefined when none said so. */
function referencesBeside(results: ResultRow[]): Beside | undefined {
  const rows = results.flatMap(({ leadId, references }) => references.map((one) => ({ leadId, ...one })));
  if (rows.length === 0) return undefined;
  const columns: Record<string, [type: string, values: string]> = {
    buyer_tier_id: ['uuid', list(rows, (row) => row.buyerTierId)],
    reference: ['text', list(rows, (row) => quoted(row.reference))],
    lead_id: ['uuid', list(rows, (row) => row.leadId)],
  };
  return { name: 'held', table: 'held_reference', ...columnsOf(columns) };
}

function columnsOf(columns: Record<string, [type: string, values: string]>): Pick<Beside, 'columns' | 'values'> {
  const entries = Object.entries(columns);
  return { columns: entries.map(([name, [type]]) => [name, type]), values: entries.map(([, [, values]]) => values) };
}

/** Undefined when no promotion paid anything. */
function promotionsBeside(results: ResultRow[]): Beside | undefined {
  const rows = results.flatMap(({ leadId, promoted }) => promoted.map((one) => ({ leadId, ...one })));
  if (rows.length === 0) return undefined;
  const columns: Record<string, [type: string, values: string]> = {
    lead_id: ['uuid', list(rows, (row) => row.leadId)],
    sale_index: ['smallint', list(rows, (row) => row.saleIndex)],
    promotion_id: ['uuid', list(rows, (row) => row.promotionId)],
    extra: ['numeric', list(rows, (row) => row.extra)],
  };
  return { name: 'promotions', table: 'promotion_sale', ...columnsOf(columns) };
}

/** Undefined when no campaign was under test. */
function variantsBeside(results: ResultRow[]): Beside | undefined {
  const rows = results.flatMap(({ leadId, variant }) => (variant ? [{ leadId, ...variant }] : []));
  if (rows.length === 0) return undefined;
  const columns: Record<string, [type: string, values: string]> = {
    lead_id: ['uuid', list(rows, (row) => row.leadId)],
    ab_test_id: ['uuid', list(rows, (row) => row.testId)],
    variant_id: ['uuid', list(rows, (row) => row.variantId)],
    consumer: ['uuid', list(rows, (row) => row.consumer)],
  };
  return { name: 'variants', table: 'lead_variant', ...columnsOf(columns) };
}

/** Undefined where no lead says which page it came from. */
function pagesBeside(results: ResultRow[]): Beside | undefined {
  const rows = results.flatMap(({ leadId, pageId }) => (pageId ? [{ leadId, pageId }] : []));
  if (rows.length === 0) return undefined;
  const columns: Record<string, [type: string, values: string]> = {
    lead_id: ['uuid', list(rows, (row) => row.leadId)],
    page_id: ['uuid', list(rows, (row) => row.pageId)],
  };
  return { name: 'pages', table: 'lead_page', ...columnsOf(columns) };
}

/** Undefined when no publisher was given a link of ours. */
function redirectsBeside(results: ResultRow[], blob: Blobs): Beside | undefined {
  const rows = results.flatMap((result) => {
    const sale = result.redirect && result.sales[result.redirect.saleIndex];
    return result.redirect && sale ? [{ result, sale, redirect: result.redirect, url: blob.add(result.redirect.url) }] : [];
  });
  if (rows.length === 0) return undefined;
  const columns: Record<string, [type: string, values: string]> = {
    lead_id: ['uuid', list(rows, (row) => row.result.leadId)],
    sale_index: ['smallint', list(rows, (row) => row.redirect.saleIndex)],
    vertical_id: ['uuid', list(rows, (row) => row.result.verticalId)],
    publisher_id: ['uuid', list(rows, (row) => row.result.publisherId)],
    publisher_tier_id: ['uuid', list(rows, (row) => row.result.publisherTierId)],
    buyer_id: ['uuid', list(rows, (row) => row.sale.buyerId)],
    buyer_tier_id: ['uuid', list(rows, (row) => row.sale.buyerTierId)],
    given_at: ['timestamptz', list(rows, (row) => timeText(row.redirect.givenAt))],
    expires_at: ['timestamptz', list(rows, (row) => timeText(row.redirect.expiresAt))],
  };
  const places = [list(rows, (row) => row.url[0]), list(rows, (row) => row.url[1])];
  const { columns: kept, values } = columnsOf(columns);
  return { name: 'links', table: 'redirect', columns: kept, sealed: 'url', values: [...values, ...places] };
}

/** Undefined where nobody that lost is to be told. */
function noticesBeside(results: ResultRow[]): Beside | undefined {
  const rows = results.flatMap(({ leadId, verticalId, notices }) => notices.map((one) => ({ leadId, verticalId, ...one })));
  if (rows.length === 0) return undefined;
  const columns: Record<string, [type: string, values: string]> = {
    lead_id: ['uuid', list(rows, (row) => row.leadId)],
    buyer_tier_id: ['uuid', list(rows, (row) => row.buyerTierId)],
    group_id: ['uuid', list(rows, (row) => row.groupId)],
    vertical_id: ['uuid', list(rows, (row) => row.verticalId)],
    bid: ['numeric', list(rows, (row) => row.bid)],
    winning: ['numeric', list(rows, (row) => row.winning)],
    due_at: ['timestamptz', list(rows, (row) => timeText(row.dueAt))],
  };
  return { name: 'notices', table: 'loss_notice', ...columnsOf(columns) };
}

/** Undefined where no system of the organization is to be told. */
function webhooksBeside(results: ResultRow[]): Beside | undefined {
  const rows = results.flatMap(({ leadId, finishedAt, webhooks }) => webhooks.map((one) => ({ leadId, finishedAt, ...one })));
  if (rows.length === 0) return undefined;
  const columns: Record<string, [type: string, values: string]> = {
    id: ['uuid', list(rows, (row) => row.id)],
    webhook_id: ['uuid', list(rows, (row) => row.webhookId)],
    lead_id: ['uuid', list(rows, (row) => row.leadId)],
    event: ['text', list(rows, (row) => row.event)],
    made_at: ['timestamptz', list(rows, (row) => timeText(row.finishedAt))],
    due_at: ['timestamptz', list(rows, (row) => timeText(row.finishedAt))],
  };
  return { name: 'hooks', table: 'webhook_call', ...columnsOf(columns) };
}
