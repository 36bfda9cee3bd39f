import { Button } from '@mantine/core';
import { useState } from 'react';
import type { LeadView } from '#contract/lead.ts';
import type { ReturnView } from '#contract/lead-return.ts';
import { CopyButton, CopyTextButton } from '#web/ui/CopyButton.tsx';
import { toCurl } from '#web/ui/curl.ts';
import { IconLock } from '#web/ui/icons.ts';
import { PrettyView } from '#web/ui/PrettyView.tsx';
import { ExactTime, MoneyText, TimeAgo } from '#web/ui/reporting.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { turned } from '../ledger/signed.ts';
import { RedirectLine } from './RedirectLine.tsx';
import { ReturnDialog } from './ReturnDialog.tsx';

const unsoldMoney = ({ status, test }: Pick<LeadView, 'status' | 'test'>): string => {
  if (test && status === 'sold')
    return 'Nothing was earned: the lead was a test. The price in our answer is made up, so that the publisher can try to read one.';
  if (status === 'held') return 'Nothing yet: the lead is held until it is settled with the buyer.';
  if (status === 'bid') return 'Nothing yet: the ping was answered with a bid, the post decides.';
  return status === 'received' ? 'Nothing yet: the lead is under way.' : 'Nothing was earned: the lead was not sold.';
};

type Sale = LeadView['sales'][number];

export function MoneyLines({ lead }: { lead: LeadView }) {
  const [returning, setReturning] = useState<Sale | null>(null);
  return (
    <section className="card part-money" aria-labelledby="money-title">
      <header>
        <h2 id="money-title">Money</h2>
      </header>
      <div className="card-body">
        {lead.sales.length === 0 && <p className="muted story-empty">{unsoldMoney(lead)}</p>}
        {lead.sales.map((sale) => (
          <div key={sale.buyerTierId} className="money-sale">
            <dl className="money-lines">
              <MoneyLine name={sale.buyerTierName} amount={sale.revenue} note={<PriceNote sale={sale} />} />
              <MoneyLine
                name="Payout to the publisher"
                amount={sale.payout}
                minus
                note={
                  sale.promotion && (
                    <>
                      <MoneyText amount={sale.promotion.extra} exact /> of it by the promotion {sale.promotion.name}
                    </>
                  )
                }
              />
              <MoneyLine name="Margin" amount={sale.margin} total />
              {sale.returned && <Returned returned={sale.returned} netMargin={sale.netMargin} />}
              {sale.buyerRef && <TextLine name="Buyer’s reference" value={sale.buyerRef} />}
              {sale.redirectUrl && <TextLine name="Redirect" value={sale.redirectUrl} />}
            </dl>
            {!sale.returned && <ReturnLine lead={lead} sale={sale} onReturn={() => setReturning(sale)} />}
          </div>
        ))}
        {lead.sales.every((sale) => !sale.redirectUrl) && lead.redirectUrl && (
          <dl className="money-lines">
            <TextLine name="Redirect" value={lead.redirectUrl} />
          </dl>
        )}
        {lead.redirectUrl && (
          <dl className="money-lines">
            <RedirectLine redirect={lead.redirect} />
          </dl>
        )}
      </div>
      {returning && <ReturnDialog lead={lead} sale={returning} onClose={() => setReturning(null)} />}
    </section>
  );
}

/** What the buyer had bid, where it pays or named another price. */
function PriceNote({ sale: { bid, revenue, postPriceDiffers } }: { sale: Sale }) {
  if (bid !== null && bid !== revenue)
    return (
      <>
        bid <MoneyText amount={bid} exact />, <span className="warn">sold at another price</span>
      </>
    );
  if (!postPriceDiffers) return null;
  return <>{bid === null ? 'named another price than was agreed' : 'named another price with the lead; its bid counts'}</>;
}

/** What was given back of a sale, and what is left of its margin. */
function Returned({ returned, netMargin }: { returned: ReturnView; netMargin: string }) {
  const by = returned.userName ? `by ${returned.userName}` : 'by the buyer';
  return (
    <>
      <MoneyLine
        name={`Returned: ${returned.reason}`}
        amount={returned.revenue}
        note={
          <>
            {by}, <TimeAgo at={returned.returnedAt} />
            {returned.note && `: ${returned.note}`}
          </>
        }
        minus
      />
      <MoneyLine name="Taken back from the publisher" amount={returned.payout} />
      <MoneyLine name="Margin after the return" amount={netMargin} total />
    </>
  );
}

/** The way to return a lead; where it is too late, why there is none. */
function ReturnLine({ lead, sale, onReturn }: { lead: LeadView; sale: Sale; onReturn: () => void }) {
  const now = useNow();
  if (lead.test || !sale.returnableUntil) return null;
  if (!lead.mayReturn) return <small className="muted money-return no-print">A return is entered by who sets this vertical up.</small>;
  const isOver = now > Date.parse(sale.returnableUntil);
  return (
    <div className="money-return no-print">
      <Button size="xs" variant="default" disabled={isOver} onClick={onReturn}>
        Return this lead
      </Button>
      <small className="muted">
        {isOver ? 'The days for a return were over ' : 'Until '}
        <ExactTime at={sale.returnableUntil} />
      </small>
    </div>
  );
}

function MoneyLine({
  name,
  amount,
  note,
  minus,
  total,
}: {
  name: string;
  amount: string;
  note?: React.ReactNode;
  minus?: boolean;
  total?: boolean;
}) {
  return (
    <div className={total ? 'money-total' : undefined}>
      <dt>
        {name} {note && <small className="muted">{note}</small>}
      </dt>
      <dd className="num">
        <MoneyText amount={minus ? turned(amount) : amount} exact />
      </dd>
    </div>
  );
}

function TextLine({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="money-text">
        <code className="mono">{value}</code>
        <CopyButton text={value} label={`Copy: ${name}`} />
      </dd>
    </div>
  );
}

export function ConsumerFields({ fields }: { fields: LeadView['fields'] }) {
  return (
    <section className="card part-fields" aria-labelledby="fields-title">
      <header>
        <h2 id="fields-title">What the consumer gave</h2>
      </header>
      {fields.length === 0 ? (
        <p className="muted card-body story-empty">No fields were kept.</p>
      ) : (
        <dl className="field-lines">
          {fields.map((field) => (
            <div key={field.fieldName}>
              <dt title={field.fieldName}>{field.fieldHumanName || field.fieldName}</dt>
              <dd>
                {field.masked && <IconLock size={13} className="muted" aria-label="masked" />}
                <span className={field.value === '' ? 'muted' : undefined}>{field.value === '' ? 'empty' : field.value}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

export function InboundCall({ lead }: { lead: LeadView }) {
  const call = lead.inbound;
  if (!call) return null;
  const curl = () =>
    toCurl({
      method: call.method,
      url: window.location.origin + call.path,
      headers: { 'content-type': call.contentType },
      body: call.body,
    });
  return (
    <section className="card part-inbound" aria-labelledby="inbound-title">
      <header>
        <h2 id="inbound-title">The publisher’s call and our answer</h2>
      </header>
      <div className="card-body">
        <div className="wire-line">
          <code className="mono">
            <strong>{call.method}</strong> {call.path}
          </code>
          <span className="muted small">from {call.ip}</span>
          <CopyTextButton text={curl} label="Copy as curl" />
        </div>
        <div className="wire-pair">
          <PrettyView label="They sent" body={call.body} />
          <PrettyView label={`We answered ${call.statusCode}`} body={call.answer} />
        </div>
      </div>
    </section>
  );
}
