import type { CapUse, PortalAnswer } from '#contract/portal.ts';
import { formatCount, formatMoney } from '#web/ui/format.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { sayCap, sayWindow } from './request-words.ts';

/** How full the company's caps are now: its own over all tiers, and those of each tier. */
export function CapBars({ portal }: { portal: PortalAnswer }) {
  const groups = [
    ...(portal.capUse.length > 0 ? [{ _id: portal.company._id, name: 'All tiers together', capUse: portal.capUse }] : []),
    ...portal.tiers.filter((tier) => tier.capUse.length > 0),
  ];
  if (groups.length === 0) return null;
  return (
    <section className="card" aria-label="Caps">
      <header>
        <h2>Caps now</h2>
      </header>
      <div className="card-body cap-groups">
        {groups.map(({ _id, name, capUse }) => (
          <div key={_id}>
            <h3>{name}</h3>
            <ul>
              {capUse.map((cap) => (
                <CapBar key={cap.measure + cap.period + cap.timeZone} cap={cap} />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

export function CapBar({ cap }: { cap: CapUse }) {
  const { currency } = useReporting();
  const used = cap.measure === 'money' ? formatMoney(cap.used, currency) : formatCount(Number(cap.used));
  const limit = sayCap({ ...cap, limit: cap.limit }, currency);
  const tone = cap.share >= 1 ? 'full' : cap.share >= 0.9 ? 'near' : 'room';
  return (
    <li className="cap-bar">
      <span>
        {used} of {limit}
        {cap.share >= 1 && <span className="pill bad">Used up</span>}
      </span>
      <span className="muted small cap-window">{sayWindow(cap)}</span>
      <span className="cap-track" data-tone={tone} aria-hidden="true">
        <i style={{ width: `${Math.round(cap.share * 100)}%` }} />
      </span>
    </li>
  );
}
