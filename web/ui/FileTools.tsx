import { IconDownload } from './icons.ts';
import { PrintButton } from './PrintButton.tsx';

interface CsvButtonProps {
  onSave: () => void;
  /** What the file has. */
  title?: string;
  /** Of a page with several. */
  label?: string;
  isBarred?: boolean;
  isPushed?: boolean;
}

export const CsvButton = ({ onSave, title, label, isBarred = false, isPushed = false }: CsvButtonProps) => (
  <button
    type="button"
    className={`tool-button no-print${isPushed ? ' push' : ''}`}
    onClick={onSave}
    disabled={isBarred}
    title={title}
    aria-label={label}
  >
    <IconDownload size={15} aria-hidden /> CSV
  </button>
);

interface FileToolsProps extends CsvButtonProps {
  isUpright?: boolean;
  /** There is nothing for paper either; a list that finds nothing says so there too. */
  isPrintBarred?: boolean;
}

/** What a list's file has: the columns chosen, or all where none is. */
export const listFileTitle = (what: string, columns: string): string =>
  `${what}, with ${columns === '' ? 'all columns' : 'the columns shown here'}`;

/** How a table is taken along: as a file, and on paper. */
export const FileTools = ({ isUpright = false, isPrintBarred = false, ...csv }: FileToolsProps) => (
  <>
    <CsvButton {...csv} />
    <PrintButton isUpright={isUpright} isBarred={isPrintBarred} />
  </>
);
