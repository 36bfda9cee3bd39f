import { Menu } from '@mantine/core';
import { IconTable } from '#web/ui/icons.ts';
import type { ListColumn } from './RecordList.tsx';

interface ColumnMenuProps {
  columns: readonly ListColumn[];
  shown: ReadonlySet<string>;
  onTurn: (field: string) => void;
  onReset: () => void;
}

/** Which columns a list shows; the first always stands. */
export function ColumnMenu({ columns, shown, onTurn, onReset }: ColumnMenuProps) {
  return (
    <Menu position="bottom-end" width={210} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className="tool-button">
          <IconTable size={15} aria-hidden /> Columns
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label="Columns">
        {columns.slice(1).map(({ field, head }) => (
          <Menu.CheckboxItem key={field} checked={shown.has(field)} onChange={() => onTurn(field)}>
            {head}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item closeMenuOnClick={false} onClick={onReset}>
          As it was at first
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
