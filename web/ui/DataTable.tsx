import {
  type ColumnVisibilityState,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  type RowData,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { MouseEvent } from 'react';
import './data-table.css';

interface ColumnLook {
  numeric?: boolean;
  /** Stays in sight while the rest scrolls sideways. */
  sticky?: boolean;
}
const features = tableFeatures({ columnVisibilityFeature, columnMeta: metaHelper<ColumnLook>() });

export const columnHelper = <Row extends RowData>() => createColumnHelper<typeof features, Row>();
export type Columns<Row extends RowData> = Parameters<typeof useTable<typeof features, Row>>[0]['columns'];
export type { ColumnVisibilityState };

interface DataTableProps<Row extends RowData> {
  label: string;
  /** Stable: a new array each time would rebuild the table. */
  columns: Columns<Row>;
  rows: Row[];
  rowId: (row: Row) => string;
  visibility: ColumnVisibilityState;
  onVisibilityChange: (next: ColumnVisibilityState) => void;
  onOpen: (row: Row) => void;
  /** Fetching again: what is shown is dimmed, not blanked. */
  stale: boolean;
}

const lookClass = (look: ColumnLook | undefined) => [look?.numeric && 'num', look?.sticky && 'sticky'].filter(Boolean).join(' ');

export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, visibility, onVisibilityChange, onOpen, stale } = props;
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: rowId,
    state: { columnVisibility: visibility },
    onColumnVisibilityChange: (change) => onVisibilityChange(typeof change === 'function' ? change(visibility) : change),
  });
  // A click on the row opens it, but not one that ends a text selection or that hit a control of its own.
  const open = (event: MouseEvent<HTMLElement>, row: Row) => {
    if (window.getSelection()?.isCollapsed !== false && !(event.target as HTMLElement).closest('a,button')) onOpen(row);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="data-table-box" aria-label={label} tabIndex={0} data-stale={stale || undefined}>
      <table className="data-table" aria-busy={stale}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id} scope="col" className={lookClass(header.column.columnDef.meta)}>
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} onClick={(event) => open(event, row.original)}>
              {row.getVisibleCells().map((cell) => (
                <td key={cell.id} className={lookClass(cell.column.columnDef.meta)}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
