/** The lists of this area: what each shows, searches and teaches. */
import { moveText } from '#contract/move.ts';
import { formatCount } from '#web/ui/format.ts';
import { TimeAgo } from '#web/ui/reporting.tsx';
import type { RecordRow } from '../api/record.ts';
import type { ListColumn, ListSpec } from '../set-up/RecordList.tsx';
import { entryWords } from './list-words.ts';

const updated: ListColumn = { field: 'updatedAt', head: 'Changed', cell: (row) => <TimeAgo at={String(row.updatedAt)} /> };
const notes: ListColumn = { field: 'notes', head: 'Notes', optional: true };

export function MoveText({ move }: { move: unknown }) {
  return move === null ? <span className="muted">none</span> : <span className={`move-${move}`}>{moveText(Number(move))}</span>;
}
const move: ListColumn = { field: 'move', head: 'Move', cell: (row) => <MoveText move={row.move} /> };

export const suppressionLists: ListSpec = {
  model: 'suppressionList',
  one: 'suppression list',
  many: 'suppression lists',
  searches: 'name or notes',
  also: ['form', 'fieldName'],
  teaches:
    'A list holds people who are not to be contacted, or whom a buyer has already: e-mails, phones or any text, plain or hashed. Add one, fill it by an import, then name it in publisher tiers or buyer tiers.',
  hasCopy: false,
  columns: [
    { field: 'name', head: 'Name' },
    { field: 'holds', head: 'Holds', cell: (row: RecordRow) => entryWords(row), sorts: false },
    { field: 'entryCount', head: 'Entries', numeric: true, cell: (row) => formatCount(Number(row.entryCount)) },
    { field: 'useCount', head: 'Used by tiers', numeric: true },
    notes,
    updated,
  ],
};

export const banks: ListSpec = {
  model: 'bank',
  one: 'bank',
  many: 'banks',
  searches: 'name, number or notes',
  filters: ['move'],
  teaches:
    'A bank is known by its routing number, or in the UK by its sort code. Its move says what becomes of leads that name it: BLOCK refuses them, the others are for filters of tiers.',
  removal: 'delete',
  hasCopy: false,
  columns: [
    { field: 'name', head: 'Name' },
    { field: 'code', head: 'Number', cell: (row) => <span className="tabular">{String(row.code)}</span> },
    { field: 'country', head: 'Country', cell: (row) => String(row.country).toUpperCase() },
    move,
    notes,
    updated,
  ],
};

export const binRanges: ListSpec = {
  model: 'binRange',
  one: 'BIN range',
  many: 'BIN ranges',
  searches: 'BIN, issuer, scheme, type or country',
  filters: ['move'],
  teaches:
    'A BIN, the first digits of a card number, tells who issued the card. Import a list of them, then give ranges a move: for everybody, or for one campaign or affiliate.',
  removal: 'delete',
  hasCopy: false,
  columns: [
    { field: 'range', head: 'Range', cell: (row) => <span className="tabular">{String(row.range)}</span> },
    { field: 'issuer', head: 'Issuer' },
    { field: 'scheme', head: 'Scheme' },
    { field: 'type', head: 'Type' },
    { field: 'category', head: 'Category', optional: true },
    { field: 'country', head: 'Country' },
    { ...move, head: 'Move for all' },
    { field: 'moveCount', head: 'Moves', numeric: true },
    updated,
  ],
};
