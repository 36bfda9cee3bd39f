import { InputBase } from '@mantine/core';
import { useState } from 'react';
import type { SelectSearch, SelectSearchProps } from './SelectSearch.tsx';

/** Fetched once for all of them. */
let Ready: typeof SelectSearch | undefined;
const fetchSelect = async () => {
  Ready ??= (await import('./SelectSearch.tsx')).SelectSearch;
};

/**
 * A SelectSearch whose code comes when somebody reaches for it: before that, an input that looks the same and says its choice. It takes its
 * place where the focus is, so that it opens as if it had been there.
 */
export function LazySelect(props: SelectSearchProps) {
  const [isWanted, setWanted] = useState(false);
  if (isWanted && Ready) return <Ready autoFocus {...props} />;
  const { options, value, className, size = 'sm', 'aria-label': label } = props;
  const name = options.find((option) => option.value === value)?.label ?? '';
  // A file that does not come now is asked for again with the next touch.
  const near = () => void fetchSelect().catch(() => {});
  const want = () =>
    void fetchSelect().then(
      () => setWanted(true),
      () => {},
    );
  return (
    <InputBase
      __staticSelector="Select"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      readOnly
      {...(className && { className })}
      size={size}
      aria-label={label}
      placeholder="Select..."
      value={name}
      rightSection={<Chevron />}
      rightSectionPointerEvents="none"
      onPointerEnter={near}
      onFocus={want}
      onClick={want}
    />
  );
}

/** Mantine's own, without the list that it belongs to. */
const Chevron = () => (
  <svg viewBox="0 0 15 15" width="14" height="14" fill="currentColor" aria-hidden="true">
    <path d="M4.93 5.43a.45.45 0 0 0 .64.64L7.5 4.14l1.93 1.93a.45.45 0 1 0 .64-.64L7.82 3.18a.45.45 0 0 0-.64 0zm5.14 4.14a.45.45 0 0 0-.64-.64L7.5 10.86 5.57 8.93a.45.45 0 0 0-.64.64l2.25 2.25a.45.45 0 0 0 .64 0z" />
  </svg>
);
