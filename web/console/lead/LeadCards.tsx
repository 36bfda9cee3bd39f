import { Link } from '@tanstack/react-router';
import type { LeadRow } from '#contract/lead.ts';
import { MoneyText, TimeAgo } from '#web/ui/reporting.tsx';
import type { Place } from '../api/lead.ts';
import { StatusText } from './StatusText.tsx';

/** The list on a phone: one lead, one card. */
export function LeadCards({ place, rows, stale }: { place: Place; rows: LeadRow[]; stale: boolean }) {
  return (
    <ul className="lead-cards" data-stale={stale || undefined}>
      {rows.map((row) => (
        <li key={row._id}>
          <Link to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId: row._id }}>
            <span className="lead-card-line">
              <StatusText status={row.status} />
              {row.test && <span className="pill warn">Test</span>}
              {row.returned && <span className="pill bad">Returned</span>}
              <span className="lead-card-money">
                {row.status === 'sold' ? <MoneyText amount={row.revenue} /> : <span className="muted small">{row.reasonLabel}</span>}
              </span>
            </span>
            <span className="lead-card-line small">
              <span className="lead-card-who">{row.primaryValue}</span>
              <span className="muted">
                <TimeAgo at={row.receivedAt} />
              </span>
            </span>
            <span className="lead-card-line small muted">
              <span className="lead-card-who">
                {row.publisherName}
                {row.subId && ` · ${row.subId}`}
              </span>
              <span className="lead-card-who">{row.buyers.map((one) => one.buyerName).join(', ')}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
