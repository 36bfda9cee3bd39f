import { NativeSelect } from '@mantine/core';
import { formatCount } from './format.ts';
import { IconArrowLeft, IconArrowRight } from './icons.ts';
import './pager.css';

interface PagerProps {
  total: number;
  pageSize: number;
  /** From 1. */
  page: number;
  onPage: (page: number) => void;
  /** Where the length of a page may be chosen: how long it may be, the shortest first. */
  pageSizes?: readonly number[];
  onPageSize?: (size: number) => void;
}

/** The way through a list that is paged on the server; nothing where one page holds all, however short. */
export function Pager({ total, pageSize, page, onPage, pageSizes, onPageSize }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  if (page === 1 && total <= Math.min(pageSize, ...(pageSizes ?? []))) return null;
  return (
    <nav className="pager" aria-label="Pages of the list">
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
      {pageSizes && onPageSize && (
        <NativeSelect
          size="xs"
          className="push"
          aria-label="Records on a page"
          data={pageSizes.map((size) => ({ value: String(size), label: `${size} a page` }))}
          value={String(pageSize)}
          onChange={(event) => onPageSize(Number(event.currentTarget.value))}
        />
      )}
    </nav>
  );
}
