import { Combobox } from '@mantine/core';
import type { Choice, FoundChoices } from './choices.ts';
import { formatCount } from './format.ts';
import './choice-list.css';

/** Chosen in place of a record, it asks again. */
export const ASK_AGAIN = 'ask again';

interface ChoiceListProps {
  choices: FoundChoices;
  value: string | undefined;
  /** Stand before what is found while nothing is typed, such as "Nobody". */
  first?: readonly Choice[];
  /** What is said when there is nothing at all. */
  emptyText: string;
  label: string;
}

/** What was found, in a Combobox: the options, or why there are none, and that there are more. */
export function ChoiceList({ choices, value, first = [], emptyText, label }: ChoiceListProps) {
  const { found, settled, isBehind } = choices;
  const options = [...(settled === '' ? first : []), ...(found.data?.options ?? [])];
  const isMore = found.data && found.data.total > found.data.options.length;
  return (
    <>
      <Combobox.Options className="choice-list" aria-label={label} aria-busy={found.isFetching} data-behind={isBehind || undefined}>
        {found.isError && (
          <Combobox.Option value={ASK_AGAIN} className="choice-again">
            This could not be loaded. <strong>Try again</strong>
          </Combobox.Option>
        )}
        {!found.isError &&
          options.map((one) => (
            <Combobox.Option
              key={one.value}
              value={one.value}
              active={one.value === value}
              selected={one.value === value}
              disabled={one.closed !== undefined}
            >
              {one.label}
              {one.closed && <span className="muted small"> {one.closed}</span>}
            </Combobox.Option>
          ))}
        {found.isPending && <Remark>Loading…</Remark>}
        {found.data && !found.isError && options.length === 0 && (
          <Remark>{isBehind ? 'Looking…' : settled === '' ? emptyText : `No results match "${settled}"`}</Remark>
        )}
      </Combobox.Options>
      {isMore && !found.isError && <Combobox.Footer className="choice-more">{sayMore(found.data)}</Combobox.Footer>}
    </>
  );
}

/** A listbox without an option is not a listbox; this one cannot be chosen. */
function Remark({ children }: { children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list is steered from its input, options never take the focus
    <div role="option" aria-disabled aria-selected={false} className="choice-remark">
      {children}
    </div>
  );
}

const sayMore = ({ options, total }: { options: readonly unknown[]; total: number }): string =>
  `${options.length} of ${formatCount(total)}. Type to narrow.`;

/** The same for who does not see the list; it stands in the page whether or not the list is open, so that its changes are read out. */
export function ChoiceNews({ choices: { found, settled, isBehind }, isOpen }: { choices: FoundChoices; isOpen: boolean }) {
  return (
    <span className="sr-only" aria-live="polite">
      {isOpen && !isBehind && sayFound(found, settled)}
    </span>
  );
}

function sayFound({ isError, data }: FoundChoices['found'], settled: string): string {
  if (isError) return 'This could not be loaded. Enter tries again.';
  if (!data) return 'Loading.';
  if (data.total > data.options.length) return sayMore(data);
  const [one] = data.options;
  if (!one) return settled === '' ? 'Nothing to choose.' : `No results match "${settled}".`;
  return settled === '' ? `${data.total} to choose from.` : `${data.total} found. Enter takes ${one.label}.`;
}
