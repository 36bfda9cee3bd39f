/** Which columns of a list are shown, and how many records on a page: kept in this browser, list by list. */
import { useLocalStorage } from '@mantine/hooks';
import { defaultPageSize, pageSizes } from './list-search.ts';
import type { ListColumn, ListSpec } from './RecordList.tsx';

/** Fields the person turned on (true) or off (false); what is not named is as the list has it. */
export type ColumnChoice = Record<string, boolean>;

/** The first column always stands; the others as chosen, or as the list has them. */
export function shownColumns(columns: readonly ListColumn[], choice: ColumnChoice): ListColumn[] {
  return columns.filter((column, at) => at === 0 || (choice[column.field] ?? column.optional !== true));
}

export function useColumns(spec: ListSpec) {
  const [choice, setChoice, reset] = useLocalStorage<ColumnChoice>({
    key: `columns-${spec.model}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const columns = shownColumns(spec.columns, choice);
  const turn = (field: string) => setChoice({ ...choice, [field]: !columns.some((column) => column.field === field) });
  return { columns, turn, reset };
}

export function usePageSize(model: string): [number, (size: number) => void] {
  const [kept, setKept] = useLocalStorage<number>({
    key: `page-size-${model}`,
    defaultValue: defaultPageSize,
    getInitialValueInEffect: false,
  });
  return [pageSizes.find((size) => size === kept) ?? defaultPageSize, setKept];
}
