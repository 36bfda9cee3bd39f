import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { IconPlus } from '#web/ui/icons.ts';
import type { RecordRow } from '../api/record.ts';
import { type InnerList, readInnerList, writeInnerList } from './list-search.ts';
import { usePlaceIds, usePlaceOf } from './place-ids.ts';
import { articleOf, type ListSpec, RecordList } from './RecordList.tsx';

interface BelongingsProps {
  /** Its part of the page's address. */
  list: InnerList;
  title: string;
  spec: ListSpec;
  condition: Record<string, unknown>;
  /** Below the place: 'tier/add?buyerId=...'; absent where nothing may be added. */
  add: string | undefined;
  /** The id follows it. */
  edit: string;
  suffix?: string;
}

/** What belongs to a record, as a list of its own below the form. */
export function Belongings({ list, title, spec, condition, add, edit, suffix = '' }: BelongingsProps) {
  const shown = useSearch({ strict: false }) as Record<string, unknown>;
  const others = Object.fromEntries(Object.entries(shown).filter(([name]) => !name.startsWith(`${list}.`)));
  const { place } = usePlaceIds();
  const navigate = useNavigate();
  const placeOf = usePlaceOf();
  const baseOf = ({ region, vertical }: { region: string; vertical: string }) => `/setup/${region}/${vertical}`;
  const base = baseOf(place);
  const onAdd = (like?: RecordRow) => void navigate({ href: `${base}/${add}${like ? `&like=${like._id}` : ''}` });
  return (
    <div className="belongings">
      <div className="set-up-head">
        <h2>{title}</h2>
        {add && (
          <Button size="xs" variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => onAdd()}>
            Add {articleOf(spec.one)}
          </Button>
        )}
      </div>
      <RecordList
        spec={spec}
        condition={condition}
        search={readInnerList(shown, list)}
        onSearch={(next) =>
          void navigate({ to: '.', search: { ...others, ...writeInnerList(list, next) } as never, replace: true, resetScroll: false })
        }
        hrefOf={(row) => `${baseOf(placeOf(row.verticalId) ?? place)}/${edit}/${row._id}${suffix}`}
        onAdd={add ? onAdd : undefined}
      />
    </div>
  );
}
