import { ActionIcon } from '@mantine/core';
import { IconArrowUp, IconX } from '#web/ui/icons.ts';

interface RowToolsProps<Row> {
  rows: readonly Row[];
  at: number;
  /** 'rule 2', as it is told. */
  label: string;
  onChange: (rows: Row[]) => void;
}

/** Moves one of several rows up, or takes it out. */
export function RowTools<Row>({ rows, at, label, onChange }: RowToolsProps<Row>) {
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={26}
        aria-label={`Move ${label} up`}
        disabled={at === 0}
        onClick={() => onChange([...rows.slice(0, at - 1), rows[at]!, rows[at - 1]!, ...rows.slice(at + 1)])}
      >
        <IconArrowUp size={15} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={26}
        aria-label={`Remove ${label}`}
        onClick={() => onChange(rows.filter((_, index) => index !== at))}
      >
        <IconX size={15} />
      </ActionIcon>
    </>
  );
}
