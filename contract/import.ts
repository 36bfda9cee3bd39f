/**
 * Imports of suppression lists, banks and BIN ranges: which columns of a file hold what. Files come with headers of many spellings, or with none: the
 * columns are guessed from the first rows, shown, and may be chosen anew.
 */
import { z } from 'zod';
import { splitCsvLine } from './csv-read.ts';
import { FIXED_WIDTHS, guessFixedWidth, isFixedWidth, splitFixedWidth } from './fixed-width.ts';

export const importKind = z.enum(['suppressionImport', 'bankImport', 'binImport']);
export type ImportKind = z.infer<typeof importKind>;

/** add: adds and renews. replace: the same, and at the end what the file does not have goes; nothing does, and the import fails, where more rows cannot be read than can. remove: takes out what the file has. */
export const importMode = z.enum(['add', 'replace', 'remove']);
export type ImportMode = z.infer<typeof importMode>;

/** Of a file that is imported. */
export const MOST_COLUMNS = 200;

const separator = z.enum([',', ';', '\t', '|']);
/** What separates columns; or, where nothing does, the list whose columns stand at these places. */
export const delimiter = z.enum([...separator.options, 'fedach', 'fedwire']);
export type Delimiter = z.infer<typeof delimiter>;

/** Cells of one line. */
export const splitLine = (line: string, by: Delimiter): string[] => (isFixedWidth(by) ? splitFixedWidth(line, by) : splitCsvLine(line, by));

export const importSettings = z.strictObject({
  mode: importMode,
  delimiter,
  hasHeader: z.boolean(),
  /** What a column holds -> its place in a row, from 0. */
  columns: z.record(
    z.string().max(40),
    z
      .int()
      .min(0)
      .max(MOST_COLUMNS - 1),
  ),
  /** Of banks: whose numbers they are. */
  country: z.enum(['us', 'uk']).optional(),
  /** Of one that replaces: what the file does not have goes although more of its rows cannot be read than can. Where none can, nothing ever goes. */
  despiteErrors: z.boolean().optional(),
});
export type ImportSettings = z.infer<typeof importSettings>;

export const startImportBody = z.strictObject({
  kind: importKind,
  /** The suppression list to fill. */
  listId: z.uuid().optional(),
  /** The name of the file, or how it came. */
  name: z.string().min(1).max(200),
  settings: importSettings,
});
export const startImportAnswer = z.object({ status: z.literal(true), jobId: z.string() });

export interface ImportColumn {
  role: string;
  label: string;
  required?: true;
  /** Headers it goes by, in small letters and without anything but letters and digits. */
  headers: readonly string[];
}

export const IMPORT_COLUMNS: Readonly<Record<ImportKind, readonly ImportColumn[]>> = {
  suppressionImport: [
    {
      role: 'value',
      label: 'Entry',
      required: true,
      headers: [
        ...['email', 'emailaddress', 'mail', 'phone', 'phonenumber', 'telephone', 'mobile', 'cell', 'number', 'value', 'entry', 'hash'],
        ...['md5', 'md5hash', 'emailmd5', 'sha1', 'sha256', 'emailsha256', 'emailhash', 'phonehash', 'ssn', 'ip', 'ipaddress', 'account'],
      ],
    },
    { role: 'expires', label: 'Expires on', headers: ['expires', 'expireson', 'expiresat', 'expiry', 'expirydate', 'validuntil', 'until'] },
  ],
  bankImport: [
    {
      role: 'code',
      label: 'Routing number or sort code',
      required: true,
      headers: [
        ...['routing', 'routingnumber', 'routingno', 'aba', 'abanumber', 'abarouting', 'rtn', 'sortcode', 'sort', 'code', 'bankcode'],
        ...['newroutingnumber', 'routingtransitnumber'],
      ],
    },
    {
      role: 'name',
      label: 'Name',
      headers: ['name', 'bank', 'bankname', 'customername', 'institution', 'institutionname', 'shortbankname', 'issuer'],
    },
    { role: 'move', label: 'Move', headers: ['move', 'verdict'] },
  ],
  binImport: [
    {
      role: 'first',
      label: 'BIN or first of a range',
      required: true,
      headers: [
        'bin',
        'iin',
        'iinstart',
        'binstart',
        'startbin',
        'binlow',
        'lowbin',
        'firstbin',
        'first',
        'from',
        'start',
        'rangestart',
        'bin6',
        'bin8',
      ],
    },
    {
      role: 'last',
      label: 'Last of a range',
      headers: ['iinend', 'binend', 'endbin', 'binhigh', 'highbin', 'lastbin', 'last', 'to', 'end', 'rangeend'],
    },
    { role: 'scheme', label: 'Scheme', headers: ['scheme', 'brand', 'network', 'cardbrand', 'cardscheme', 'vendor'] },
    { role: 'issuer', label: 'Issuer', headers: ['issuer', 'bankname', 'bank', 'issuingbank', 'issuername', 'institution'] },
    { role: 'type', label: 'Type', headers: ['type', 'cardtype', 'fundingtype', 'funding'] },
    { role: 'category', label: 'Category', headers: ['category', 'level', 'cardlevel', 'cardcategory', 'product', 'subbrand', 'tier'] },
    {
      role: 'country',
      label: 'Country',
      headers: ['country', 'alpha2', 'countrycode', 'isocode2', 'iso2', 'countryalpha2', 'countryname', 'isocountry'],
    },
    { role: 'move', label: 'Move', headers: ['move', 'verdict'] },
  ],
};

const bare = (header: string): string => header.toLowerCase().replace(/[^a-z0-9]/g, '');

export interface GuessedImport {
  delimiter: Delimiter;
  hasHeader: boolean;
  columns: Record<string, number>;
}

/** From the first lines, and what separates their columns where that is known. Without a header that says otherwise, the first column is what is required. */
export function guessImport(kind: ImportKind, lines: readonly string[], by?: Delimiter): GuessedImport {
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const list = kind === 'bankImport' ? (by ?? guessFixedWidth(first)) : undefined;
  if (list && isFixedWidth(list)) return { delimiter: list, hasHeader: false, columns: { ...FIXED_WIDTHS[list].bank } };
  const found = (by ? [by] : separator.options).map((one) => ({ delimiter: one, cells: splitLine(first, one) }));
  // The one that cuts the line into the most cells; a comma where none does.
  const best = found.reduce((most, one) => (one.cells.length > most.cells.length ? one : most));
  const columns = guessColumns(kind, best.cells);
  const hasHeader = Object.keys(columns).length > 0;
  const required = IMPORT_COLUMNS[kind].find((column) => column.required)!;
  return { delimiter: best.delimiter, hasHeader, columns: { ...(required.role in columns ? {} : { [required.role]: 0 }), ...columns } };
}

/** Earlier spellings of a column win over later ones, and every place is given once. */
export function guessColumns(kind: ImportKind, header: readonly string[]): Record<string, number> {
  const names = header.map(bare);
  const columns: Record<string, number> = {};
  const taken = new Set<number>();
  for (const { role, headers } of IMPORT_COLUMNS[kind]) {
    const place = headers.map((one) => names.indexOf(one)).find((at) => at >= 0 && !taken.has(at));
    if (place === undefined) continue;
    columns[role] = place;
    taken.add(place);
  }
  return columns;
}

/** Why a file cannot be cut into columns so, in a sentence; undefined where it can. */
export function layoutProblem(kind: ImportKind, by: Delimiter, country: 'us' | 'uk' = 'us'): string | undefined {
  if (!isFixedWidth(by)) return undefined;
  if (kind !== 'bankImport') return 'That list is one of banks. Say what separates the columns.';
  return country === 'us' ? undefined : 'That list is one of banks of the United States.';
}

/** What is wrong with the choice of columns, in a sentence; undefined where it is sound. */
export function columnProblem(kind: ImportKind, columns: Readonly<Record<string, number>>): string | undefined {
  const known = IMPORT_COLUMNS[kind];
  const stranger = Object.keys(columns).find((role) => known.every((column) => column.role !== role));
  if (stranger !== undefined) return `There is no column "${stranger}" in this import.`;
  const missing = known.find((column) => column.required && columns[column.role] === undefined);
  if (missing) return `Say which column holds: ${missing.label}.`;
  const places = Object.values(columns);
  return new Set(places).size < places.length ? 'One column of the file is chosen twice.' : undefined;
}
