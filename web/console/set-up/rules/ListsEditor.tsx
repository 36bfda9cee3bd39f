import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '#web/ui/format.ts';
import { recordsQuery } from '../../api/record.ts';

interface ListsEditorProps {
  value: string[];
  onChange: (ids: string[]) => void;
  error?: React.ReactNode;
}

/** The suppression lists of a tier, by name. */
export function ListsEditor({ value, onChange, error }: ListsEditorProps) {
  const lists = useQuery(recordsQuery({ model: 'suppressionList', limit: 1000, sort: [{ field: 'name' }] }));
  const rows = lists.data?.data ?? [];
  const options = rows.map((row) => ({ value: row._id, label: `${row.name} (${formatCount(Number(row.entryCount))})` }));
  // One that was archived meanwhile is still named by the tier, and can be taken out.
  const gone = value.filter((id) => rows.every((row) => row._id !== id)).map((id) => ({ value: id, label: 'A list that is gone' }));
  return (
    <MultiSelect
      data-path="suppressionLists"
      aria-label="Suppression lists"
      placeholder={value.length === 0 ? (lists.data && rows.length === 0 ? 'There are no lists yet' : 'None') : undefined}
      description={rows.length === 0 ? 'Lists are made under List management, and filled by imports.' : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={lists.data ? [...options, ...gone] : value.map((id) => ({ value: id, label: '…' }))}
      value={value}
      onChange={onChange}
      maxValues={20}
      searchable
      nothingFoundMessage={
        // biome-ignore lint/a11y/useFocusableInteractive: the list is steered from its input, options never take the focus
        <div role="option" aria-disabled aria-selected={false}>
          No lists match
        </div>
      }
      error={error}
    />
  );
}
