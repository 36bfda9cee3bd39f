import { NativeSelect } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type AccountKind, PROVISIONAL_FOR_MS, type StatementAnswer } from '#contract/ledger.ts';
import { FileTools } from '#web/ui/FileTools.tsx';
import { formatCount, formatInstant } from '#web/ui/format.ts';
import { IconArrowLeft, IconArrowRight } from '#web/ui/icons.ts';
import { MoneyText, useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { timeZoneLabel } from '#web/ui/zone.ts';
import { statementQuery } from '../api/ledger.ts';
import { downloadCsv } from '../download-csv.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { BackMark, SetUpPage } from '../set-up/SetUpPage.tsx';
import { standing } from './AccountCard.tsx';
import { lastMonths, monthBeside, monthName, monthNow } from './month.ts';
import './statement.css';

const MONTHS_TOLD = 36;

export const BuyerStatement = () => <Statement kind="buyer" />;
export const PublisherStatement = () => <Statement kind="publisher" />;

/** A company's account over a month, to read, print and save. */
function Statement({ kind }: { kind: AccountKind }) {
  const { id = '' } = useParams({ strict: false });
  const { zone } = useReporting();
  const { place } = usePlaceIds();
  const navigate = useNavigate();
  const now = monthNow(zone, Date.now());
  const { month = now } = useSearch({ strict: false }) as { month?: string };
  const statement = useQuery(statementQuery({ partyKind: kind, partyId: id }, month, zone));
  const back = `/setup/${place.region}/${place.vertical}/${kind}s/${id}`;
  const name = statement.data?.partyName ?? 'Statement';
  return (
    <SetUpPage
      title={statement.data ? `Statement of ${name}` : 'Statement'}
      back={
        <Link to={back as '/'} className="link row">
          <BackMark /> {name === 'Statement' ? (kind === 'buyer' ? 'Buyer' : 'Publisher') : name}
        </Link>
      }
      action={
        <span className="row no-print">
          <StatementTools
            isThere={!!statement.data}
            onSave={() => downloadCsv('statement', { partyKind: kind, partyId: id, month, timeZone: zone })}
          />
        </span>
      }
    >
      <MonthPicker
        month={month}
        now={now}
        onChange={(next) => void navigate({ to: '.', search: { month: next } as never, replace: true })}
      />
      <StatementSheet kind={kind} month={month} now={now} statement={statement} />
    </SetUpPage>
  );
}

/** To save it and to print it. */
export function StatementTools({ isThere, onSave }: { isThere: boolean; onSave: () => void }) {
  return (
    <FileTools
      onSave={onSave}
      isBarred={!isThere}
      isPrintBarred={!isThere}
      title="Every entry of the month, with a running balance"
      isUpright
    />
  );
}

interface StatementSheetProps extends Pick<StatementBodyProps, 'kind' | 'say'> {
  month: string;
  now: string;
  statement: UseQueryResult<StatementAnswer>;
}

/** The sheet itself, as it comes, fails or stands. */
export function StatementSheet({ kind, month, now, statement, say }: StatementSheetProps) {
  return (
    <section
      className="card statement"
      aria-label={`Statement for ${monthName(month)}`}
      data-stale={statement.isPlaceholderData || undefined}
    >
      {statement.isPending && (
        <div className="card-body">
          <SkeletonLines count={8} height={22} />
        </div>
      )}
      {statement.isError && !statement.data && <ErrorState error={statement.error} onRetry={() => void statement.refetch()} />}
      {statement.data && <StatementBody kind={kind} statement={statement.data} isRunning={month === now} {...(say && { say })} />}
    </section>
  );
}

interface MonthPickerProps {
  month: string;
  now: string;
  onChange: (month: string) => void;
}

export function MonthPicker({ month, now, onChange: go }: MonthPickerProps) {
  const known = lastMonths(now, MONTHS_TOLD);
  return (
    <div className="row month-picker no-print">
      <button type="button" className="tool-button" onClick={() => go(monthBeside(month, -1))} aria-label="The month before">
        <IconArrowLeft size={15} aria-hidden />
      </button>
      <NativeSelect
        aria-label="Month"
        size="sm"
        value={month}
        data={(known.includes(month) ? known : [month, ...known]).map((one) => ({ value: one, label: monthName(one) }))}
        onChange={(event) => go(event.currentTarget.value)}
      />
      <button
        type="button"
        className="tool-button"
        onClick={() => go(monthBeside(month, 1))}
        disabled={month >= now}
        aria-label="The month after"
      >
        <IconArrowRight size={15} aria-hidden />
      </button>
    </div>
  );
}

const saleWords: Record<AccountKind, string> = { buyer: 'Leads bought', publisher: 'Leads sold' };

interface StatementBodyProps {
  kind: AccountKind;
  statement: StatementAnswer;
  isRunning: boolean;
  /** Whose money a balance is, in words; those of the organization without it. */
  say?: (balance: string) => string;
}

function StatementBody({ kind, statement, isRunning, say = (balance) => standing(kind, balance) }: StatementBodyProps) {
  const { zone } = useReporting();
  const { groups, entries, opening, closing } = statement;
  const sales = groups.filter((one) => one.kind !== 'return');
  const returns = groups.filter((one) => one.kind === 'return');
  return (
    <>
      <header className="statement-head">
        <div>
          <h2>{monthName(statement.month)}</h2>
          <p className="muted small">
            {statement.partyName} with {statement.organizationName} · {timeZoneLabel[zone]} time · {statement.currency}
          </p>
          {statement.isProvisional && (
            <p className="small">
              <span className="pill warn">Provisional</span>{' '}
              {isRunning
                ? 'The month is still running.'
                : `The month has just ended, and its last sales may not be in the books yet. It stands ${PROVISIONAL_FOR_MS / 60_000} minutes after its end.`}
            </p>
          )}
        </div>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" className="num">
              Leads
            </th>
            <th scope="col" className="num">
              Amount
            </th>
          </tr>
        </thead>
        <tbody className="statement-balance">
          <Line what={<>Opening balance</>} note={say(opening)} amount={opening} />
        </tbody>
        <Part title={saleWords[kind]} none="None this month.">
          {sales.map((one) => (
            <Line key={one.kind + one.tierId} what={one.tierName || 'A tier that is gone'} count={one.count} amount={one.amount} />
          ))}
        </Part>
        <Part title="Returns" none="None this month.">
          {returns.map((one) => (
            <Line key={one.tierId} what={one.tierName || 'A tier that is gone'} count={one.count} amount={one.amount} />
          ))}
        </Part>
        {(['adjustment', 'payment'] as const).map((which) => (
          <Part key={which} title={which === 'payment' ? 'Payments' : 'Adjustments'} none="None this month.">
            {entries
              .filter((one) => one.kind === which)
              .map((one) => (
                <Line
                  key={one._id}
                  what={one.note}
                  note={`${formatInstant(one.at, zone)}${one.userName ? `, entered by ${one.userName}` : ''}`}
                  amount={one.amount}
                />
              ))}
          </Part>
        ))}
        <tbody className="statement-balance">
          <Line what={<>Closing balance</>} note={say(closing)} amount={closing} />
        </tbody>
      </table>
    </>
  );
}

function Part({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  return (
    <tbody>
      <tr className="statement-part">
        <th scope="rowgroup" colSpan={3}>
          {title}
        </th>
      </tr>
      {children.length === 0 ? (
        <tr>
          <td colSpan={3} className="muted">
            {none}
          </td>
        </tr>
      ) : (
        children
      )}
    </tbody>
  );
}

function Line({ what, note, count, amount }: { what: ReactNode; note?: string; count?: number; amount: string }) {
  return (
    <tr>
      <th scope="row">
        {what}
        {note && <small className="muted">{note}</small>}
      </th>
      <td className="num">{count === undefined ? '' : formatCount(count)}</td>
      <td className="num">
        <MoneyText amount={amount} exact />
      </td>
    </tr>
  );
}
