import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentType, Fragment, type ReactNode, useEffect } from 'react';
import { IconHistory } from '#web/ui/icons.ts';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { type RecordRow, recordQuery } from '../api/record.ts';
import { useSetup } from '../shell/use-place.ts';
import { withoutInnerLists } from './list-search.ts';
import { usePlaceIds, usePlaceOf } from './place-ids.ts';
import { BackMark, SetUpPage } from './SetUpPage.tsx';

interface EditPageProps {
  model: string;
  /** 'Buyer'. */
  label: string;
  /** Absent for a new one. */
  id?: string | undefined;
  list: { path: string; label: string };
  nameOf?: (row: RecordRow) => string;
  /** The area it stands in; the set-up's when absent. */
  Frame?: ComponentType<{ title: string; back?: ReactNode; action?: ReactNode; children: ReactNode }>;
  /** `row` is the record to edit; `like` the one that a new one begins as. */
  children: (parts: { row: RecordRow | undefined; like: RecordRow | undefined; toList: () => void }) => ReactNode;
}

/** The page of one record: its form, and below it what belongs to it. */
export function EditPage({ model, label, id, list, nameOf = (row) => String(row.name), Frame = SetUpPage, children }: EditPageProps) {
  const { like } = useSearch({ strict: false }) as { like?: string };
  const wanted = id ?? like;
  const record = useQuery({ ...recordQuery(model, wanted ?? ''), enabled: wanted !== undefined });
  const { place, verticalId } = usePlaceIds();
  const placeOf = usePlaceOf();
  const navigate = useNavigate();
  const href = `/setup/${place.region}/${place.vertical}/${list.path}`;
  const toList = () => void navigate({ href });
  // A record is edited where its fields and zone are: under an address of another vertical it would be read wrongly.
  const own = record.data?.verticalId && record.data.verticalId !== verticalId ? placeOf(record.data.verticalId) : undefined;
  const { pathname, searchStr } = useLocation();
  const isElsewhere = id !== undefined && own !== undefined;
  // A text, not the place: an effect that ran with each render would navigate again before the page is there.
  const rightHref = isElsewhere ? `/setup/${own.region}/${own.vertical}/${pathname.split('/').slice(4).join('/')}${searchStr}` : undefined;
  useEffect(() => {
    if (rightHref) void navigate({ href: rightHref, replace: true });
  }, [rightHref, navigate]);
  const { permission } = useSetup();
  const hasHistory = id !== undefined && (permission?.isOwner || permission?.isSuperAdmin);
  const title = id ? (record.data ? nameOf(record.data) : label) : `New ${label.toLowerCase()}`;
  return (
    <Frame
      title={title}
      back={
        <Link to={href as '/'} className="link row">
          <BackMark /> {list.label}
        </Link>
      }
      action={
        hasHistory && (
          <Link
            to="/change-logs-mgmt"
            search={{ recordId: id, back: `${pathname}${withoutInnerLists(searchStr)}` } as never}
            className="tool-button"
          >
            <IconHistory size={15} aria-hidden /> History
          </Link>
        )
      }
    >
      {wanted !== undefined && record.isPending && <SkeletonLines count={6} height={30} />}
      {record.isError && <ErrorState error={record.error} onRetry={() => void record.refetch()} />}
      {!isElsewhere && (wanted === undefined || record.data) && (
        // A record that comes back from the archive begins its form anew.
        <Fragment key={record.data?.status === 'archived' ? 'archived' : 'live'}>
          {children({ row: id ? record.data : undefined, like: id ? undefined : asNew(record.data), toList })}
        </Fragment>
      )}
    </Frame>
  );
}

/** A copy of an archived record is none itself. */
const asNew = (row: RecordRow | undefined): RecordRow | undefined => (row?.status === 'archived' ? { ...row, status: 'paused' } : row);
