import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { ReplayPart, ReplayResult, ReplaySide, ReplaySum } from '#contract/replay.ts';
import { type Change, FigureCard } from '#web/ui/FigureCard.tsx';
import { formatCents, formatCount, formatMoney } from '#web/ui/format.ts';
import { MoneyText, useReporting } from '#web/ui/reporting.tsx';
import type { Place } from '../api/lead.ts';
import { guardRoute } from '../guard.ts';
import { statusWord } from '../lead/lead-words.ts';
import { useSetup } from '../shell/use-place.ts';
import { SignedMoney } from './LabPage.tsx';
import { moneyDifference } from './replay-words.ts';

type Sides<T> = Record<ReplaySide, T>;

/** What would have come of it, beside the live tree in the same simulation and what really happened. */
export function ReplayResultView({ place, result }: { place: Place; result: ReplayResult }) {
  const counted = (rows: readonly (Sides<number> & { label: string })[]) => rows.map(({ label, ...of }) => ({ label, ...of }));
  return (
    <>
      <dl className="lab-figures lab-part">
        <CountFigure label="Sales" before={result.live.sales} after={result.proposed.sales} />
        <MoneyFigure label="Revenue" of="revenue" result={result} />
        <MoneyFigure label="Payout" of="payout" result={result} />
        <MoneyFigure label="Margin" of="margin" result={result} />
      </dl>
      <Trust result={result} />
      <Part title="In all">
        <SumRows result={result} />
      </Part>
      <Part title="Per buyer" head="Buyer">
        <PartRows rows={result.buyers} />
      </Part>
      <Part title="Per group" head="Group">
        <PartRows rows={result.groups.map((group) => ({ ...group, tiers: [] }))} />
      </Part>
      <Part title="How leads end" head="End">
        <CountRows rows={counted(result.statuses.map(({ status, ...of }) => ({ label: statusWord[status].label, ...of })))} />
      </Part>
      {result.reasons.length > 0 && (
        <Part title="Reasons of leads that were not sold" head="Reason">
          <CountRows rows={counted(result.reasons.map(({ reason, label, ...of }) => ({ label: `${label} (${reason})`, ...of })))} />
        </Part>
      )}
      {result.filters.length > 0 && (
        <Part title="Why buyer tiers were left out" head="Reason">
          <CountRows rows={counted(result.filters.map(({ key: _, ...of }) => of))} />
        </Part>
      )}
      <Moved place={place} title="Sold only by what was replayed" moved={result.gained} />
      <Moved place={place} title="Sold only by the live tree" moved={result.lost} />
    </>
  );
}

const directionOf = (change: number): Change['direction'] => (change === 0 ? 'same' : change > 0 ? 'up' : 'down');

function CountFigure({ label, before, after }: { label: string; before: number; after: number }) {
  const direction = directionOf(after - before);
  return (
    <FigureCard
      label={label}
      value={formatCount(after)}
      before={`${formatCount(before)} by the live tree`}
      change={{ text: formatCount(Math.abs(after - before)), direction, feeling: direction === 'up' ? 'good' : 'bad' }}
    />
  );
}

function MoneyFigure({ label, of, result }: { label: string; of: 'revenue' | 'payout' | 'margin'; result: ReplayResult }) {
  const { currency, currencyDisplay } = useReporting();
  const text = (amount: string) => formatCents(amount, currency, currencyDisplay);
  const [before, after] = [result.live[of], result.proposed[of]];
  const difference = moneyDifference(after, before);
  const direction = directionOf(Number(difference));
  const feeling = of === 'payout' ? 'neutral' : direction === 'up' ? 'good' : 'bad';
  return (
    <FigureCard
      label={label}
      value={text(after)}
      exact={formatMoney(after, currency, currencyDisplay)}
      before={`${text(before)} by the live tree`}
      change={{ text: text(difference.replace('-', '')), direction, feeling }}
    />
  );
}

/** What the figures rest on, said before they are believed. */
function Trust({ result }: { result: ReplayResult }) {
  const { live, proposed } = result.answers;
  const all = proposed.recorded + proposed.drawn + proposed.refused;
  return (
    <ul className="lab-said small muted">
      <li>
        Of {formatCount(all)} answers of buyers {formatCount(proposed.recorded)} were recorded with the lead, {formatCount(proposed.drawn)}{' '}
        drawn by the tier’s own rate, and {formatCount(proposed.refused)} taken as a no. For the live tree: {formatCount(live.recorded)},{' '}
        {formatCount(live.drawn)} and {formatCount(live.refused)}.
      </li>
      {result.neverAsked.length > 0 && <li>These answered nobody on these days, so they said no: {result.neverAsked.join('; ')}.</li>}
      {result.leftOut > 0 && <li>{formatCount(result.leftOut)} posts are left out, because their ping came before these days.</li>}
      <li>
        Caps begin as they stood, and count the leads of this replay; other campaigns’ sales on these days are not in them. Duplicate
        windows of buyer tiers begin empty. Tiers and checks are as they are set up now. It took {result.seconds} s.
      </li>
    </ul>
  );
}

function Part({ title, head = '', children }: { title: string; head?: string; children: ReactNode }) {
  return (
    <section className="card lab-part" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="scroll-x" aria-label={`Table: ${title}`} tabIndex={0}>
        <table className="plain-table lab-table">
          <thead>
            <tr>
              <th scope="col">{head || <span className="sr-only">Figure</span>}</th>
              {['Really', 'Live tree', 'Replayed', 'Change'].map((column) => (
                <th key={column} scope="col" className="num">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </section>
    </section>
  );
}

function SumRows({ result }: { result: ReplayResult }) {
  const count = (of: 'soldLeads' | 'sales') => ({ happened: result.happened[of], live: result.live[of], proposed: result.proposed[of] });
  const money = (of: keyof Pick<ReplaySum, 'revenue' | 'payout' | 'margin'>) => ({
    happened: result.happened[of],
    live: result.live[of],
    proposed: result.proposed[of],
  });
  return (
    <>
      <CountRows
        rows={[
          { label: 'Leads sold', ...count('soldLeads') },
          { label: 'Sales', ...count('sales') },
        ]}
      />
      <MoneyRow label="Revenue" of={money('revenue')} />
      <MoneyRow label="Payout" of={money('payout')} isNeutral />
      <MoneyRow label="Margin" of={money('margin')} />
    </>
  );
}

function CountRows({ rows }: { rows: readonly (Sides<number> & { label: string })[] }) {
  return rows.map(({ label, happened, live, proposed }) => (
    <tr key={label}>
      <th scope="row">{label}</th>
      <td className="num tabular">{formatCount(happened)}</td>
      <td className="num tabular">{formatCount(live)}</td>
      <td className="num tabular">{formatCount(proposed)}</td>
      <td className="num tabular">{signedCount(proposed - live)}</td>
    </tr>
  ));
}

const signedCount = (change: number): string => (change > 0 ? `+${formatCount(change)}` : formatCount(change));

function MoneyRow({ label, of, isNeutral = false }: { label: ReactNode; of: Sides<string>; isNeutral?: boolean }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {[of.happened, of.live, of.proposed].map((amount, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three columns that stay where they are
        <td key={at} className="num">
          <MoneyText amount={amount} faint />
        </td>
      ))}
      <td className="num">
        <SignedMoney amount={moneyDifference(of.proposed, of.live)} neutral={isNeutral} />
      </td>
    </tr>
  );
}

interface PartRow extends Sides<ReplayPart> {
  _id: string;
  name: string;
  tiers: readonly (Sides<ReplayPart> & { _id: string; name: string })[];
}

/** A tier stands on its own line only where its buyer has several. */
function PartRows({ rows }: { rows: readonly PartRow[] }) {
  return rows.map((row) => (
    <Fragment key={row._id}>
      <PartLine row={row} />
      {row.tiers.length > 1 && row.tiers.map((tier) => <PartLine key={tier._id} row={tier} className="lab-tier" />)}
    </Fragment>
  ));
}

function PartLine({ row, className }: { row: Omit<PartRow, 'tiers'>; className?: string }) {
  return (
    <tr className={className}>
      <th scope="row">{row.name}</th>
      {[row.happened, row.live, row.proposed].map(({ sold, rejected, terrors, timeouts, filtered, revenue }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three columns that stay where they are
        <td key={at} className="num" title={`${rejected} declined, ${terrors} errors, ${timeouts} time-outs, ${filtered} filtered`}>
          <MoneyText amount={revenue} faint />
          <br />
          <span className="muted small tabular">{formatCount(sold)} sold</span>
        </td>
      ))}
      <td className="num">
        <SignedMoney amount={moneyDifference(row.proposed.revenue, row.live.revenue)} />
        <br />
        <span className="muted small tabular">{signedCount(row.proposed.sold - row.live.sold)} sold</span>
      </td>
    </tr>
  );
}

/** A few leads to look at, for who may open leads here. */
function Moved({ place, title, moved }: { place: Place; title: string; moved: ReplayResult['gained'] }) {
  const { session, places } = useSetup();
  if (moved.leads === 0) return null;
  const mayOpen = guardRoute(`/setup/${place.region}/${place.vertical}/leads`, session, places).open;
  return (
    <section className="card card-pad lab-part" aria-label={title}>
      <p>
        {title}: <strong className="tabular">{formatCount(moved.leads)}</strong> leads
        {moved.leads > moved.ids.length && `, the first ${moved.ids.length} of them`}
      </p>
      <div className="lab-ids small">
        {moved.ids.map((id) =>
          mayOpen ? (
            <Link key={id} to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId: id }} className="link tabular">
              {id}
            </Link>
          ) : (
            <span key={id} className="tabular">
              {id}
            </span>
          ),
        )}
      </div>
    </section>
  );
}
