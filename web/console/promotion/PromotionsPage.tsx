import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { PromotionBoard } from '#contract/promotion.ts';
import { formatCount } from '#web/ui/format.ts';
import { IconAlertTriangle, IconPlus } from '#web/ui/icons.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { promotionBoardQuery } from '../api/promotion.ts';
import type { RecordRow } from '../api/record.ts';
import type { ListSearch } from '../set-up/list-search.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { RecordList } from '../set-up/RecordList.tsx';
import { PlaceTabs } from '../shell/PlaceTabs.tsx';
import { usePlaceName } from '../shell/use-place.ts';
import { promotions } from './promotion-spec.tsx';
import { saySeats } from './promotion-words.ts';
import './promotion.css';

/** Dated payout rises of the vertical, what they have paid, and where two of them meet. */
export function PromotionsPage() {
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const { place, verticalId } = usePlaceIds();
  const placeName = usePlaceName();
  const board = useQuery(promotionBoardQuery(place)).data;
  const base = `/setup/${place.region}/${place.vertical}/promotions`;
  const add = (like?: RecordRow) => void navigate({ href: `${base}/new${like ? `?like=${like._id}` : ''}` });
  return (
    <div className="page">
      <title>{`Promotions · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>Promotions</h1>
        <span className="muted">{placeName}</span>
        {board && board.soldLeads > 0 && (
          <span className="muted small">
            <MoneyText amount={board.extraPaid} /> extra on {formatCount(board.soldLeads)} sold {board.soldLeads === 1 ? 'lead' : 'leads'}{' '}
            so far
          </span>
        )}
        <span className="push">
          <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => add()}>
            Add a promotion
          </Button>
        </span>
      </div>
      <PlaceTabs of="growth" />
      {board && <Notices board={board} base={base} />}
      <RecordList
        key={verticalId}
        spec={promotions}
        condition={{ verticalId }}
        search={search}
        onSearch={(next) => void navigate({ to: '.', search: next as never, replace: true })}
        hrefOf={(row) => `${base}/${row._id}`}
        onAdd={add}
      />
    </div>
  );
}

/** What may surprise somebody: two that meet do not add up, and some can add nothing. */
function Notices({ board: { overlaps, idle }, base }: { board: PromotionBoard; base: string }) {
  if (overlaps.length + idle.length === 0) return null;
  const link = (one: { _id: string; name: string }) => (
    <Link to={`${base}/${one._id}` as '/'} className="link">
      {one.name}
    </Link>
  );
  return (
    <section className="card promotion-notices" aria-label="Worth knowing">
      <ul>
        {overlaps.map(({ pays, waits, seats, seatCount }) => (
          <li key={`${pays._id} ${waits._id}`}>
            <IconAlertTriangle size={17} className="warn" aria-hidden />
            <span>
              {link(pays)} and {link(waits)} meet at {saySeats(seats, seatCount)}. They do not add up: {pays.name} pays, {waits.name} only
              where that is closed or used up.
            </span>
          </li>
        ))}
        {idle.map(({ promotion, seats, seatCount }) => (
          <li key={promotion._id}>
            <IconAlertTriangle size={17} className="warn" aria-hidden />
            <span>
              {link(promotion)} adds nothing at {saySeats(seats, seatCount)}: with a minimum price the publisher gets all that the margin
              leaves already. Let it go below the margin if you want to pay more there.
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
