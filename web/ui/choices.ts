import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { SEARCH_DELAY_MS } from '#contract/console-constants.ts';

/** Something that can be chosen where there may be more than are worth loading: the server is asked for what is typed. */
export interface Choice {
  value: string;
  label: string;
  /** Why it cannot be chosen; it stands beside its name. */
  closed?: string | undefined;
}

export interface ChoiceSource<One extends Choice = Choice> {
  /** Names the source among the answers that are kept. */
  key: readonly unknown[];
  /** The first of those that fit the text, all for '', and how many there are. */
  find: (text: string, signal: AbortSignal) => Promise<{ options: One[]; total: number }>;
  /** One by its value, whether or not it would be found now; null when it is not there. */
  get: (value: string, signal: AbortSignal) => Promise<One | null>;
}

const FRESH_MS = 5000;
const NAME_FRESH_MS = 60_000;

/** `value` is '' or undefined for none; `text` is what is typed. Nothing is asked before the list is open. */
export function useChoices<One extends Choice>(source: ChoiceSource<One>, value: string | undefined, text: string, isOpen: boolean) {
  const wanted = text.trim();
  const [settled] = useDebouncedValue(wanted, SEARCH_DELAY_MS);
  const client = useQueryClient();
  const found = useQuery({
    queryKey: [...source.key, 'find', settled],
    queryFn: ({ signal }) => source.find(settled, signal),
    enabled: isOpen,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
  const keyOf = (one: string) => [...source.key, 'get', one];
  const listed = found.data?.options.find((one) => one.value === value);
  const chosen = useQuery({
    queryKey: keyOf(value ?? ''),
    queryFn: ({ signal }) => source.get(value ?? '', signal),
    enabled: Boolean(value) && !listed,
    staleTime: NAME_FRESH_MS,
  });
  return {
    found,
    settled,
    /** What stands in the list is not yet the answer to what is typed. */
    isBehind: wanted !== settled || found.isPlaceholderData,
    chosen: value ? (listed ?? chosen.data) : undefined,
    /** Its name was asked for, and is not there. */
    isGone: Boolean(value) && !listed && chosen.data === null,
    /** Its name is known from the list, and need not be asked for. */
    remember: (one: One) => client.setQueryData(keyOf(one.value), one),
  };
}

export type FoundChoices = Pick<ReturnType<typeof useChoices<Choice>>, 'found' | 'settled' | 'isBehind'>;
