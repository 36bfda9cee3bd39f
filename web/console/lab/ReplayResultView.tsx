import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { LeadStatusWord } from '#contract/lead.ts';
import type { ReplayResult } from '#contract/replay.ts';
import { type Change, FigureCard } from '#web/ui/FigureCard.tsx';
import { formatCents, formatCount, formatMoney } from '#web/ui/format.ts';
import { MoneyText, useReporting } from '#web/ui/reporting.tsx';
import type { Place } from '../api/lead.ts';
import { statusWord } from '../lead/lead-words.ts';
import { ReplayTrust } from './ReplayTrust.tsx';
import { type CountRow, countRows, endsAs, filterRows, moneyDifference, SIDES, type Sides } from './replay-words.ts';
import { SignedMoney } from './SignedMoney.tsx';

interface ReplayResultViewProps {
  place: Place;
  result: ReplayResult;
  mayReadLeads: boolean;
}

/** What would have come of it, beside the published tree in the same simulation and what really happened. */
export function ReplayResultView({ place, result, mayReadLeads }: ReplayResultViewProps) {
  const reasonLabels = new Map(SIDES.flatMap((side) => result[side].reasons.map(({ reason, label }) => [reason, label])));
  const reasons = countRows(
    (side) => Object.fromEntries(result[side].reasons.map(({ reason, leads }) => [reason, leads])),
    (reason) => reasonLabels.get(reason) ?? reason,
  );
  const statuses = countRows(
    (side) => result[side].statuses,
    (status) => statusWord[status as LeadStatusWord]?.label ?? status,
  );
  const filters = filterRows(result.buyerTiers);
  if (result.really.leads === 0)
    return (
      <section className="card card-pad lab-part">
        <p className="lab-lead-in">No lead of this campaign came in this span, so there is nothing to compare. Choose another span.</p>
      </section>
    );
  return (
    <>
      <p className="muted small lab-caption">What was replayed, and what it was by the published tree in the same simulation:</p>
      <dl className="lab-figures">
        <CountFigure label="Leads sold" before={result.published.sold} after={result.changed.sold} />
        <MoneyFigure label="Revenue" of="revenue" result={result} />
        <MoneyFigure label="Payout" of="payout" result={result} />
        <MoneyFigure label="Margin" of="margin" result={result} />
      </dl>
      <ReplayTrust result={result} />
      <Part title="In all">
        <CountRows
          rows={[
            { label: 'Leads', really: result.really.leads, published: result.published.leads, changed: result.changed.leads },
            { label: 'Leads sold', really: result.really.sold, published: result.published.sold, changed: result.changed.sold },
            { label: 'Sales', really: result.really.sales, published: result.published.sales, changed: result.changed.sales },
          ]}
        />
        <MoneyRow label="Revenue" of="revenue" result={result} />
        <MoneyRow label="Payout" of="payout" result={result} isNeutral />
        <MoneyRow label="Margin" of="margin" result={result} />
      </Part>
      <Part title="Per buyer tier" head="Buyer tier">
        {buyersOf(result.buyerTiers).map(({ buyerName, tiers }) => (
          <Fragment key={buyerName}>
            {tiers.map((tier) => (
              <PartLine key={tier._id} name={tier.name} buyerName={buyerName} of={tier} titleOf={endsTitle} />
            ))}
          </Fragment>
        ))}
      </Part>
      <Part title="Per group" head="Group">
        {result.groups.map((group) => (
          <PartLine key={group._id} name={group.name} of={group} />
        ))}
      </Part>
      <Part title="How leads end" head="End">
        <CountRows rows={statuses} />
      </Part>
      {reasons.length > 0 && (
        <Part title="Reasons of leads that were not sold" head="Reason">
          <CountRows rows={reasons} />
        </Part>
      )}
      {filters.length > 0 && (
        <Part title="Why buyer tiers were passed by" head="Rule">
          <CountRows rows={filters} />
        </Part>
      )}
      <Moved place={place} title="Sold only by what was replayed" moved={result.gained} mayReadLeads={mayReadLeads} />
      <Moved place={place} title="Sold only by the published tree" moved={result.lost} mayReadLeads={mayReadLeads} />
    </>
  );
}

type Tier = ReplayResult['buyerTiers'][number];

/** Tiers of one buyer beside each other, in the order in which the first of them stands in the tree. */
const buyersOf = (tiers: readonly Tier[]) =>
  [...Map.groupBy(tiers, ({ buyerName }) => buyerName)].map(([buyerName, own]) => ({ buyerName, tiers: own }));

const directionOf = (change: number): Change['direction'] => (change === 0 ? 'same' : change > 0 ? 'up' : 'down');

function CountFigure({ label, before, after }: { label: string; before: number; after: number }) {
  const direction = directionOf(after - before);
  return (
    <FigureCard
      label={label}
      value={formatCount(after)}
      before={formatCount(before)}
      change={{ text: formatCount(Math.abs(after - before)), direction, feeling: direction === 'up' ? 'good' : 'bad' }}
    />
  );
}

type MoneyName = 'revenue' | 'payout' | 'margin';

function MoneyFigure({ label, of, result }: { label: string; of: MoneyName; result: ReplayResult }) {
  const { currency, currencyDisplay } = useReporting();
  const text = (amount: string) => formatCents(amount, currency, currencyDisplay);
  const [before, after] = [result.published[of], result.changed[of]];
  const difference = moneyDifference(after, before);
  const direction = directionOf(Number(difference));
  const feeling = of === 'payout' ? 'neutral' : direction === 'up' ? 'good' : 'bad';
  return (
    <FigureCard
      label={label}
      value={text(after)}
      exact={formatMoney(after, currency, currencyDisplay)}
      before={text(before)}
      change={{ text: text(difference.replace('-', '')), direction, feeling }}
    />
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
              {['Really', 'Published tree', 'Replayed', 'Change'].map((column) => (
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

function CountRows({ rows }: { rows: readonly CountRow[] }) {
  return rows.map(({ label, really, published, changed }) => (
    <tr key={label}>
      <th scope="row">{label}</th>
      {[really, published, changed].map((count, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three columns that stay where they are
        <td key={at} className="num tabular">
          {formatCount(count)}
        </td>
      ))}
      <td className="num tabular">{signedCount(changed - published)}</td>
    </tr>
  ));
}

const signedCount = (change: number): string => (change > 0 ? `+${formatCount(change)}` : formatCount(change));

function MoneyRow({ label, of, result, isNeutral = false }: { label: string; of: MoneyName; result: ReplayResult; isNeutral?: boolean }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {SIDES.map((side) => (
        <td key={side} className="num">
          <MoneyText amount={result[side][of]} faint />
        </td>
      ))}
      <td className="num">
        <SignedMoney amount={moneyDifference(result.changed[of], result.published[of])} isNeutral={isNeutral} />
      </td>
    </tr>
  );
}

interface PartFigures {
  sales: number;
  revenue: string;
  asked: number;
}

interface PartLineProps<Figures extends PartFigures> {
  name: string;
  buyerName?: string;
  of: Sides<Figures>;
  /** What else is to be known of one side, on hover. */
  titleOf?: (figures: Figures) => string;
}

/** Revenue, and of how many that were asked. */
function PartLine<Figures extends PartFigures>({ name, buyerName, of, titleOf }: PartLineProps<Figures>) {
  return (
    <tr>
      <th scope="row">
        {name}
        {buyerName && buyerName !== name && <small className="muted">{buyerName}</small>}
      </th>
      {SIDES.map((side) => (
        <td key={side} className="num" title={titleOf?.(of[side])}>
          <MoneyText amount={of[side].revenue} faint />
          <br />
          <span className="muted small tabular">
            {formatCount(of[side].sales)} of {formatCount(of[side].asked)} asked
          </span>
        </td>
      ))}
      <td className="num">
        <SignedMoney amount={moneyDifference(of.changed.revenue, of.published.revenue)} />
        <br />
        <span className="muted small tabular">{signedCount(of.changed.sales - of.published.sales)} sold</span>
      </td>
    </tr>
  );
}

const endsTitle = ({ ends }: Tier['really']): string => {
  const count = (outcome: string) => formatCount(endsAs(ends, outcome));
  return `${count('rejected')} declined, ${count('terrors')} errors, ${count('timeouts')} timed out, ${count('filtered')} filtered`;
};

interface MovedProps {
  place: Place;
  title: string;
  moved: ReplayResult['gained'];
  mayReadLeads: boolean;
}

/** A few leads to look at, for who may open leads here. */
function Moved({ place, title, moved, mayReadLeads }: MovedProps) {
  if (moved.leads === 0) return null;
  return (
    <section className="card card-pad lab-part" aria-label={title}>
      <p className="lab-lead-in">
        {title}: <strong className="tabular">{formatCount(moved.leads)}</strong> {moved.leads === 1 ? 'lead' : 'leads'}
        {moved.leads > moved.ids.length && `, the first ${moved.ids.length} of them`}
      </p>
      <ul className="lab-ids small">
        {moved.ids.map((id) => (
          <li key={id}>
            {mayReadLeads ? (
              <Link to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId: id }} className="link mono">
                {id}
              </Link>
            ) : (
              <code className="mono">{id}</code>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
