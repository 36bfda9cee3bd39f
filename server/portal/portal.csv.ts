/** What portals show, as files: with the columns that are shown, in our order. */
import type { CsvCell } from '#contract/csv.ts';
import type { BuyerLead, BuyerMeasures, PortalKind, PortalReturn, PublisherLead, PublisherMeasures } from '#contract/portal.ts';
import {
  BUYER_FIGURE_WORDS,
  BUYER_LEAD_WORDS,
  type BuyerFigure,
  type BuyerLeadColumn,
  buyerLeadState,
  PUBLISHER_FIGURE_WORDS,
  PUBLISHER_LEAD_WORDS,
  PUBLISHER_STATUS_WORDS,
  type PublisherFigure,
  type PublisherLeadColumn,
  type ReturnColumn,
  returnWords,
} from '#contract/portal-words.ts';
import { DIMENSION_WORDS } from '#contract/report-words.ts';
import { askedColumns, wallTime } from '#server/kit/csv-file.ts';
import { columnsBy, comparedColumns, type PageColumn, percent } from '#server/report/report.csv.ts';

interface ListCsv<Row> {
  header: string[];
  line: (row: Row) => CsvCell[];
}

/** Those that are asked for, and always when it was and the lead's id, without which nobody can ask about a line. */
function listCsv<Row>(columns: readonly PageColumn<Row>[], asked: string, always: readonly string[]): ListCsv<Row> {
  const shown = askedColumns(columns, asked === '' ? '' : [asked, ...always].join(','));
  return { header: shown.flatMap(({ heads }) => heads), line: (row) => shown.flatMap(({ cells }) => cells(row)) };
}

export function publisherLeadCsv(asked: string, zone: string): ListCsv<PublisherLead> {
  const { receivedAt, status } = PUBLISHER_LEAD_WORDS;
  const of = columnsBy<PublisherLead, PublisherLeadColumn>(PUBLISHER_LEAD_WORDS);
  const columns: PageColumn<PublisherLead>[] = [
    { id: 'receivedAt', heads: [`${receivedAt} (${zone})`], cells: (lead) => [wallTime(lead.receivedAt, zone)] },
    { id: 'status', heads: [status, 'Test', 'Ping'], cells: (lead) => [PUBLISHER_STATUS_WORDS[lead.status], lead.test, lead.isPing] },
    of('reason', (lead) => lead.reason),
    of('consumer', (lead) => lead.primaryValue),
    of('tier', (lead) => lead.tierName),
    of('subId', (lead) => lead.subId),
    of('payout', (lead) => lead.payout),
    of('returned', (lead) => lead.returned),
    of('id', (lead) => lead._id),
  ];
  return listCsv(columns, asked, ['receivedAt', 'id']);
}

export function buyerLeadCsv(asked: string, zone: string): ListCsv<BuyerLead> {
  const { soldAt, state } = BUYER_LEAD_WORDS;
  const of = columnsBy<BuyerLead, BuyerLeadColumn>(BUYER_LEAD_WORDS);
  const columns: PageColumn<BuyerLead>[] = [
    { id: 'soldAt', heads: [`${soldAt} (${zone})`], cells: (lead) => [wallTime(lead.soldAt, zone)] },
    of('reference', (lead) => lead.reference),
    of('tier', (lead) => lead.tierName),
    { id: 'state', heads: [state, 'Test'], cells: (lead) => [buyerLeadState(lead), lead.test] },
    of('price', (lead) => lead.price),
    of('returned', (lead) => lead.returned?.amount ?? null),
    of('reason', (lead) => lead.returned?.reason ?? null),
    of('id', (lead) => lead.leadId),
  ];
  return listCsv(columns, asked, ['soldAt', 'id']);
}

export function returnCsv(kind: PortalKind, asked: string, zone: string): ListCsv<PortalReturn> {
  const words = returnWords(kind);
  const of = columnsBy<PortalReturn, ReturnColumn>(words);
  const columns: PageColumn<PortalReturn>[] = [
    { id: 'returnedAt', heads: [`${words.returnedAt} (${zone})`], cells: (row) => [wallTime(row.returnedAt, zone)] },
    of('id', (row) => row.leadId),
    of('tier', (row) => row.tierName),
    { id: 'reason', heads: [words.reason, words.note], cells: (row) => [row.reason, row.note] },
    of('amount', (row) => row.amount),
  ];
  return listCsv(columns, asked, ['returnedAt', 'id']);
}

const PUBLISHER_CELLS: Record<PublisherFigure, (now: PublisherMeasures) => CsvCell> = {
  ...{ attempts: (now) => now.attempts, sold: (now) => now.sold, soldShare: (now) => percent(now.sold, now.attempts) },
  ...{ rejected: (now) => now.rejected, open: (now) => now.open, pings: (now) => now.pings, bids: (now) => now.bids },
  ...{ payout: (now) => now.payout, returnedPayout: (now) => now.returnedPayout, epl: (now) => now.epl },
};
const BUYER_CELLS: Record<BuyerFigure, (now: BuyerMeasures) => CsvCell> = {
  ...{ offered: (now) => now.offered, sold: (now) => now.sold, soldShare: (now) => percent(now.sold, now.offered) },
  ...{ rejected: (now) => now.rejected, timeouts: (now) => now.timeouts, terrors: (now) => now.terrors },
  ...{ pings: (now) => now.pings, bids: (now) => now.bids, spent: (now) => now.spent },
  ...{ returned: (now) => now.returned, returnedAmount: (now) => now.returnedAmount, p50Ms: (now) => now.p50Ms, p90Ms: (now) => now.p90Ms },
};

interface FigureRow<Measures> {
  name: string;
  now: Measures;
  before?: Measures | undefined;
}

interface FigureCsv {
  by?: 'tier' | 'subId' | undefined;
  asked: string;
  /** Whether rows have what the span before had. */
  hasBefore: boolean;
}

const figureCsv =
  <Measures, Id extends string>(words: Readonly<Record<Id, string>>, cells: Record<Id, (now: Measures) => CsvCell>) =>
  ({ by, asked, hasBefore }: FigureCsv, none: Measures) => {
    const columns = (Object.keys(words) as Id[]).flatMap((id) =>
      comparedColumns({ id, word: words[id], cell: cells[id], isShare: id === 'soldShare' }, hasBefore, none),
    );
    const shown = askedColumns(columns, asked);
    return {
      header: [by === 'subId' ? DIMENSION_WORDS.subId : 'Tier', ...shown.map(({ head }) => head)],
      line: (row: FigureRow<Measures>): CsvCell[] => [row.name, ...shown.map(({ cell }) => cell(row))],
    };
  };
export const publisherFigureCsv = figureCsv(PUBLISHER_FIGURE_WORDS, PUBLISHER_CELLS);
export const buyerFigureCsv = figureCsv(BUYER_FIGURE_WORDS, BUYER_CELLS);
