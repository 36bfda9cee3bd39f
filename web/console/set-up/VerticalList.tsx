import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { IconPlus } from '#web/ui/icons.ts';
import type { ListSearch } from './list-search.ts';
import { usePlaceIds } from './place-ids.ts';
import { type ListSpec, RecordList } from './RecordList.tsx';

interface VerticalListProps {
  spec: ListSpec;
  title: string;
  /** Below region and vertical; its records and `new` lie below it. */
  path: string;
  /** 'Add a feed'. */
  add: string;
  /** The area it stands in. */
  Frame: ComponentType<{ title: string; action?: ReactNode; children: ReactNode }>;
  mayAdd?: boolean | undefined;
}

/** A page of the records of one vertical, in the frame of its area. */
export function VerticalList({ spec, title, path, add, Frame, mayAdd = true }: VerticalListProps) {
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const { place, verticalId } = usePlaceIds();
  const base = `/setup/${place.region}/${place.vertical}/${path}`;
  const onAdd = mayAdd ? () => void navigate({ href: `${base}/new` }) : undefined;
  return (
    <Frame
      title={title}
      action={
        onAdd && (
          <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={onAdd}>
            {add}
          </Button>
        )
      }
    >
      <RecordList
        key={verticalId}
        spec={spec}
        condition={{ verticalId }}
        search={search}
        onSearch={(next) => void navigate({ to: '.', search: next as never, replace: true })}
        hrefOf={(row) => `${base}/${row._id}`}
        onAdd={onAdd}
      />
    </Frame>
  );
}
