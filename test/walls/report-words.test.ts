/** A figure has one name, on its page and in its file: every report's table against its file's heads (console §3). */
import { describe, expect, it } from 'vitest';
import { FIGURE_WORDS, fileHead } from '#contract/report-words.ts';
import { pageCsv } from '#server/landing-page/page-stats.routes.ts';
import { paymentCsv } from '#server/payment/payment-stats.routes.ts';
import { buyerFigureCsv, buyerLeadCsv, publisherFigureCsv, publisherLeadCsv, returnCsv } from '#server/portal/portal.csv.ts';
import { NO_BUYER_FIGURES, NO_PUBLISHER_FIGURES } from '#server/portal/portal-figures.ts';
import { ATTEMPTS, LEADS } from '#server/report/build-report.ts';
import { bidPriceCsv, compareCsv, pointCsv, reasonCsv, reportCsv, timeoutCsv } from '#server/report/report.csv.ts';
import { pageColumns } from '#web/console/landing-page/page-columns.tsx';
import { paymentColumns } from '#web/console/payment/payment-columns.tsx';
import { buyerLeadColumns } from '#web/console/portal/BuyerLeads.tsx';
import { returnColumns } from '#web/console/portal/PortalReturns.tsx';
import { publisherLeadColumns } from '#web/console/portal/PublisherLeads.tsx';
import { buyerColumns, publisherColumns } from '#web/console/portal/portal-columns.tsx';
import { bidPriceColumns } from '#web/console/report/BidPrices.tsx';
import { compareFigures } from '#web/console/report/compare-figures.ts';
import { attemptColumns, leadColumns, redirectColumns } from '#web/console/report/outcome-columns.tsx';
import { reasonColumns } from '#web/console/report/Reasons.tsx';
import { timeoutColumns } from '#web/console/report/Timeouts.tsx';
import { pointColumns } from '#web/console/report/Trending.tsx';

interface Column {
  id: string;
  head: string;
}
const report = (columns: readonly Column[], grain: { none: object }, asked = '') =>
  reportCsv({
    by: [],
    asked: asked || columns.map(({ id }) => id).join(),
    hasBefore: true,
    none: grain.none,
  }).header;
const idsOf = (columns: readonly Column[]) => columns.map(({ id }) => id).join();

/** Columns that are drawn of the figures beside them: in no file. */
const DRAWN = ['outcomes'];
/** What a file tells beside a column of its page, which has it in the same cell. */
const BESIDE = ['Calls before', 'Time-outs before', 'Late accepts p90 ms', 'Test', 'Ping', 'Note'];

/** `named`: how many heads say what a row is of. */
const WAYS: [report: string, columns: readonly Column[], heads: readonly string[], named: number][] = [
  ['Inbound, Sub ids and Map', leadColumns, report(leadColumns, LEADS), 0],
  ['Outbound', attemptColumns, report(attemptColumns, ATTEMPTS), 0],
  ['Redirects', redirectColumns, report(redirectColumns, ATTEMPTS), 0],
  ['Trending', pointColumns, pointCsv(Object.keys(LEADS.none), idsOf(pointColumns)).header, 0],
  ['Reasons', reasonColumns, reasonCsv({ attempts: 0, reasons: [], filterReasons: [] } as never, idsOf(reasonColumns)).header, 3],
  ['Time-outs', timeoutColumns, timeoutCsv({ tiers: [] } as never, idsOf(timeoutColumns)).header, 1],
  ['Bids and prices', bidPriceColumns, bidPriceCsv({ tiers: [] } as never).header, 1],
  ['Page stats', pageColumns, pageCsv(idsOf(pageColumns), true).header, 5],
  ['Payments', paymentColumns, paymentCsv('Processor', idsOf(paymentColumns), true).header, 1],
  ['a publisher’s portal', publisherColumns, publisherFigureCsv({ asked: '', hasBefore: true }, NO_PUBLISHER_FIGURES).header, 1],
  ['a buyer’s portal', buyerColumns, buyerFigureCsv({ asked: '', hasBefore: true }, NO_BUYER_FIGURES).header, 1],
  ['a publisher’s leads', publisherLeadColumns, publisherLeadCsv('', 'UTC').header, 1],
  ['a buyer’s leads', buyerLeadColumns, buyerLeadCsv('', 'UTC').header, 1],
  ['returns of a publisher', returnColumns('publisher', () => {}), returnCsv('publisher', '', 'UTC').header, 1],
  ['returns of a buyer', returnColumns('buyer', () => {}), returnCsv('buyer', '', 'UTC').header, 1],
];

describe('console §3: a report and its file have one word for a figure', () => {
  it.each(WAYS)('of %s', (name, columns, heads, named) => {
    const isList = /leads|returns/.test(name);
    const told = columns.filter(({ id }) => !DRAWN.includes(id)).map(({ id, head }) => (isList ? head : fileHead(id, head)));
    const figures = heads
      .slice(named)
      .filter((head) => (told.includes(head) || !BESIDE.includes(head)) && (isList || !/ (id|key)$/.test(head)));
    expect(figures.toSorted()).toEqual(told.toSorted());
  });

  it('of Compare, line by line', async () => {
    const measures = {
      ...LEADS.none,
      ...ATTEMPTS.none,
      attempts: 1,
      bids: 1,
      links: 1,
      p50Ms: 1,
      p75Ms: 1,
      p90Ms: 1,
      followP50Ms: 1,
      followP90Ms: 1,
    };
    const side = { total: measures };
    const lines: string[] = [];
    for await (const [figure] of compareCsv({ sides: [side, side] } as never, ['one', 'other']).rows) lines.push(String(figure));
    const labels = compareFigures(measures as never, measures as never).map(({ label }) => label);
    // Of links that were not followed the page tells the share alone.
    const told = lines.map((line) => line.replace(/ (%|ms)$/, '')).filter((line) => line !== FIGURE_WORDS.lost);
    expect(told.toSorted()).toEqual(labels.toSorted());
  });
});
