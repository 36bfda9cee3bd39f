import { IconPrinter } from './icons.ts';

interface PrintButtonProps {
  isBarred?: boolean;
  /** On sheets that stand upright; tables of many columns lie. */
  isUpright?: boolean;
}

/** Beside the file of a table: the same on paper, as print.css lays it out. */
export const PrintButton = ({ isBarred = false, isUpright = false }: PrintButtonProps) => (
  <button
    type="button"
    className={`tool-button no-print${isUpright ? '' : ' print-wide'}`}
    onClick={() => window.print()}
    disabled={isBarred}
  >
    <IconPrinter size={15} aria-hidden /> Print
  </button>
);
