import { formatCount } from './format.ts';
import { IconArrowLeft, IconArrowRight } from './icons.ts';
import './pager.css';

interface PagerProps {
  total: number;
  pageSize: number;
  /** From 1. */
  page: number;
  onPage: (page: number) => void;
}

/** The way through a list that is paged on the server; nothing where one page holds all. */
export function Pager({ total, pageSize, page, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  if (last === 1 && page === 1) return null;
  return (
    <nav className="pager" aria-label="Pages">
      <button
        type="button"
        className="bare pager-link"
        disabled={page <= 1}
        aria-disabled={page <= 1 || undefined}
        onClick={() => onPage(Math.min(page - 1, last))}
      >
        <IconArrowLeft size={16} aria-hidden /> Before
      </button>
      <button
        type="button"
        className="bare pager-link"
        disabled={page >= last}
        aria-disabled={page >= last || undefined}
        onClick={() => onPage(page + 1)}
      >
        Next <IconArrowRight size={16} aria-hidden />
      </button>
      <span className="muted small tabular">
        Page {page} of {formatCount(last)}
      </span>
    </nav>
  );
}
