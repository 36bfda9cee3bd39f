import { Button, Checkbox, Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isFarAboveKnown, type SettlementOutcome, type ToSettleItem } from '#contract/settlement.ts';
import { ChoiceChip } from '#web/ui/ChoiceChip.tsx';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { formatCount } from '#web/ui/format.ts';
import { IconArrowLeft, IconCheck } from '#web/ui/icons.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { ExactTime, MoneyText, Sentence, TimeAgo } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { leadChoices } from '../api/choices.ts';
import { ledgerKey } from '../api/ledger.ts';
import { quoteQuery, type Settling, settleLeads, type ToSettleSearch, toSettleQuery } from '../api/settlement.ts';
import { lastList } from '../lead/last-list.ts';
import { shortId } from '../lead/lead-columns.tsx';
import { isNothing } from '../ledger/signed.ts';
import { usePlaceName } from '../shell/use-place.ts';
import './to-settle.css';

const route = getRouteApi('/framed/setup/$region/$vertical/leads/to-settle');
const keyOf = (item: Pick<ToSettleItem, 'leadId' | 'buyerTierId'>): string => `${item.leadId} ${item.buyerTierId}`;

/** Leads of which nobody knows whether the buyer has them: a word for one or for many, and each is settled. */
export function ToSettle() {
  const place = route.useParams();
  const placeName = usePlaceName();
  const client = useQueryClient();
  const search = route.useSearch() as ToSettleSearch;
  const navigate = route.useNavigate();
  const open = useQuery(toSettleQuery(place, search));
  /** What was typed in place of the known price. */
  const [prices, setPrices] = useState<Record<string, string>>({});
  const [chosen, setChosen] = useState<readonly string[]>([]);
  /** What is about to be said, and of which. */
  const [asking, setAsking] = useState<{ items: ToSettleItem[]; outcome: SettlementOutcome } | null>(null);
  /** Why the last try did not settle a lead. */
  const [refused, setRefused] = useState<Refused[]>([]);
  const settle = useMutation({
    mutationFn: ({ leads }: Said) => settleLeads(leads),
    onSuccess: ({ settled, leads, msg }, { items }) => {
      const left = leads.filter(({ isSettled }) => !isSettled);
      setRefused(left.flatMap((one) => refusalOf(items, one, one.msg)));
      setChosen(left.map(keyOf));
      if (settled === leads.length) void toast('success', msg);
      else void toast('error', msg);
    },
    onError: (error, { leads, items }) => setRefused(leads.flatMap((one) => refusalOf(items, one, error.message))),
    onSettled: () => {
      setAsking(null);
      for (const queryKey of [['to-settle'], ['leads'], ['lead'], ['overview'], ledgerKey]) void client.invalidateQueries({ queryKey });
    },
  });
  const items = open.data?.items ?? [];
  const maySettle = open.data?.maySettle ?? false;
  const priceOf = (item: ToSettleItem): string => prices[keyOf(item)] ?? item.price ?? '';
  const say = (some: ToSettleItem[], outcome: SettlementOutcome, payoutOf: PayoutOf) =>
    settle.mutate({
      items: some,
      leads: some.map((item) => ({
        ...{ leadId: item.leadId, buyerTierId: item.buyerTierId, outcome },
        ...(outcome === 'bought' && { price: priceOf(item), payout: payoutOf(item) }),
      })),
    });
  // Who was slower than somebody else hears of it, though its line is gone.
  const gone = refused.filter(({ item }) => !items.some((one) => keyOf(one) === keyOf(item)));
  const narrow = (buyerTierId: string | undefined) => {
    setRefused([]);
    setChosen([]);
    void navigate({ search: { buyerTierId }, replace: true });
  };
  const marked = items.filter((item) => chosen.includes(keyOf(item)));
  return (
    <div className="page">
      <title>{`To settle · ${placeName} · Sluice`}</title>
      <Link to="/setup/$region/$vertical/leads" params={place} search={lastList(place)} className="link back-link">
        <IconArrowLeft size={16} aria-hidden /> Leads
      </Link>
      <div className="page-head">
        <h1>To settle</h1>
        <span className="muted">{placeName}</span>
        {open.data && (
          <span className="muted tabular" role="status">
            {open.data.total > items.length
              ? `${formatCount(items.length)} of ${formatCount(open.data.total)}, the oldest`
              : formatCount(open.data.total)}
          </span>
        )}
      </div>
      <p className="muted to-settle-says">
        These buyers may have bought, and only they know.{' '}
        {open.data && !maySettle
          ? 'You may read them; who sets this vertical up settles them.'
          : 'Ask them, or look into their account of the day, then say what became of each lead. It is said once, and stands.'}
      </p>
      <search className="to-settle-filter" aria-label="Narrow the list">
        <ChoiceChip
          name="Buyer tier"
          source={leadChoices(place, 'buyerTier')}
          value={search.buyerTierId}
          emptyText="No buyer tiers found."
          onChange={narrow}
        />
      </search>
      <section className="card" aria-label="Leads to settle">
        {open.isPending && (
          <div className="card-body">
            <SkeletonLines count={6} height={30} />
          </div>
        )}
        {open.isError && <ErrorState error={open.error} onRetry={() => void open.refetch()} />}
        {open.data && gone.length > 0 && (
          <div role="alert">
            <ul className="bad to-settle-gone">
              {gone.map(({ item, msg }) => (
                <li key={keyOf(item)}>
                  {item.buyerName}, lead <code className="mono">{shortId(item.leadId)}</code>: <Sentence text={msg} />
                </li>
              ))}
            </ul>
          </div>
        )}
        {open.data && items.length === 0 && (
          <p className="all-settled">
            <IconCheck size={18} className="good" aria-hidden />{' '}
            {search.buyerTierId
              ? 'Nothing is open at this buyer tier.'
              : 'Nothing is open: of every lead it is known whether it was bought.'}
          </p>
        )}
        {items.length > 0 && (
          <>
            {maySettle && (
              <div className="to-settle-bar">
                <Checkbox
                  label={marked.length > 0 ? `${marked.length} chosen` : 'Choose all'}
                  checked={marked.length === items.length}
                  indeterminate={marked.length > 0 && marked.length < items.length}
                  onChange={(event) => setChosen(event.currentTarget.checked ? items.map(keyOf) : [])}
                />
                <Button
                  size="xs"
                  disabled={marked.length === 0 || marked.some((item) => priceOf(item) === '')}
                  loading={settle.isPending}
                  onClick={() => setAsking({ items: marked, outcome: 'bought' })}
                >
                  Buyer bought them
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  disabled={marked.length === 0}
                  loading={settle.isPending}
                  onClick={() => setAsking({ items: marked, outcome: 'notBought' })}
                >
                  Buyer did not
                </Button>
              </div>
            )}
            <ul className="to-settle-list">
              {items.map((item) => (
                <OpenItem
                  key={keyOf(item)}
                  item={item}
                  maySettle={maySettle}
                  price={priceOf(item)}
                  isChosen={chosen.includes(keyOf(item))}
                  isBusy={settle.isPending}
                  refusal={refused.find((one) => keyOf(one.item) === keyOf(item))?.msg}
                  onPrice={(price) => setPrices({ ...prices, [keyOf(item)]: price })}
                  onChoose={(isChosen) => setChosen(isChosen ? [...chosen, keyOf(item)] : chosen.filter((one) => one !== keyOf(item)))}
                  onSay={(outcome) => setAsking({ items: [item], outcome })}
                />
              ))}
            </ul>
          </>
        )}
      </section>
      {asking && (
        <SayDialog
          {...asking}
          priceOf={priceOf}
          isPending={settle.isPending}
          onSay={(some, payoutOf) => say(some, asking.outcome, payoutOf)}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

interface Refused {
  item: ToSettleItem;
  msg: string;
}
interface Said {
  leads: Settling[];
  items: ToSettleItem[];
}
/** What was quoted for it. */
type PayoutOf = (item: ToSettleItem) => string;

const refusalOf = (items: ToSettleItem[], one: Pick<ToSettleItem, 'leadId' | 'buyerTierId'>, msg: string): Refused[] =>
  items.filter((item) => keyOf(item) === keyOf(one)).map((item) => ({ item, msg }));

interface SayDialogProps {
  items: ToSettleItem[];
  outcome: SettlementOutcome;
  priceOf: (item: ToSettleItem) => string;
  isPending: boolean;
  onSay: (items: ToSettleItem[], payoutOf: PayoutOf) => void;
  onClose: () => void;
}

/** It cannot be taken back: what it means is said before it is. */
function SayDialog({ items, outcome, priceOf, isPending, onSay, onClose }: SayDialogProps) {
  const [only] = items;
  const [isSure, setSure] = useState(false);
  const isBought = outcome === 'bought';
  const sales = items.map((item) => ({ leadId: item.leadId, buyerTierId: item.buyerTierId, price: priceOf(item) }));
  const quote = useQuery({ ...quoteQuery(sales), enabled: isBought });
  const quoted = new Map(quote.data?.leads.map((line) => [keyOf(line), line]));
  const payoutOf: PayoutOf = (item) => quoted.get(keyOf(item))?.payout ?? '';
  // Somebody was quicker, or it has no price: the others are settled without it.
  const barred = items.filter((item) => quoted.get(keyOf(item))?.payout === null);
  const settling = items.filter((item) => !barred.includes(item));
  const tests = items.filter(({ test }) => test);
  const soldBefore = items.filter(({ soldTo }) => soldTo.length > 0);
  const far = isBought ? items.filter((item) => isFarAboveKnown(priceOf(item), item.price)) : [];
  const what = items.length === 1 ? `the lead at ${only!.buyerName}` : `${items.length} leads`;
  return (
    <Modal opened onClose={onClose} title={isBought ? `Settle ${what} as bought?` : `Settle ${what} as not bought?`}>
      <div className="form-stack">
        <p>
          {isBought ? (
            <>
              {items.length === 1 ? (
                <>
                  The buyer is billed <MoneyText amount={priceOf(only!)} exact />
                </>
              ) : (
                'Each buyer is billed the price beside its lead'
              )}
              , and {items.length === 1 ? 'the publisher is' : 'publishers are'} paid{' '}
              {quote.data ? <MoneyText amount={quote.data.payout} exact /> : 'as its tier and the campaign say'}
              {items.length > 1 && quote.data && ' in all'}.
            </>
          ) : (
            'Nobody is billed or paid, and the places in caps are free again.'
          )}{' '}
          It is said once, and stands.
        </p>
        {isBought && tests.length > 0 && (
          <p className="muted">
            {items.length === 1
              ? 'It is a test: nothing is entered in the books.'
              : `${tests.length} of them ${tests.length === 1 ? 'is a test' : 'are tests'}: of ${tests.length === 1 ? 'it' : 'them'} nothing is entered in the books.`}
          </p>
        )}
        {isBought && soldBefore.length > 0 && (
          <p className="warn">
            {items.length === 1
              ? `It was sold to ${only!.soldTo.join(', ')} already: this is one more sale of the same lead.`
              : `${soldBefore.length} of them ${soldBefore.length === 1 ? 'was' : 'were'} sold already: this is one more sale of the same ${soldBefore.length === 1 ? 'lead' : 'leads'}.`}
            {quote.data && isNothing(quote.data.payout) && ' The publisher gets nothing more for it.'}
          </p>
        )}
        {quote.error && (
          <p className="bad" role="alert">
            {quote.error.message}
          </p>
        )}
        {barred.length > 0 && (
          <div role="alert">
            <ul className="bad to-settle-far">
              {barred.map((item) => (
                <li key={keyOf(item)}>
                  {item.buyerName}, lead <code className="mono">{shortId(item.leadId)}</code>, is left out:{' '}
                  <Sentence text={quoted.get(keyOf(item))!.msg} />
                </li>
              ))}
            </ul>
          </div>
        )}
        {far.length > 0 && (
          <>
            <ul className="bad to-settle-far">
              {far.map((item) => (
                <li key={keyOf(item)}>
                  {item.buyerName}, lead <code className="mono">{shortId(item.leadId)}</code>: <MoneyText amount={priceOf(item)} exact /> is
                  far above the <MoneyText amount={item.price!} exact /> that are known.
                </li>
              ))}
            </ul>
            <Checkbox
              label={far.length === 1 ? 'The price is right' : 'The prices are right'}
              checked={isSure}
              onChange={(event) => setSure(event.currentTarget.checked)}
            />
          </>
        )}
        <DialogEnd
          label={isBought ? 'Settle as bought' : 'Settle as not bought'}
          isPending={isPending}
          isBarred={(isBought && !quote.isSuccess) || settling.length === 0 || (far.length > 0 && !isSure)}
          onGo={() => onSay(settling, payoutOf)}
          onClose={onClose}
        />
      </div>
    </Modal>
  );
}

interface OpenItemProps {
  item: ToSettleItem;
  maySettle: boolean;
  price: string;
  isChosen: boolean;
  isBusy: boolean;
  refusal: string | undefined;
  onPrice: (price: string) => void;
  onChoose: (isChosen: boolean) => void;
  onSay: (outcome: SettlementOutcome) => void;
}

function OpenItem({ item, maySettle, price, isChosen, isBusy, refusal, onPrice, onChoose, onSay }: OpenItemProps) {
  const place = route.useParams();
  const name = `${item.buyerName}, ${item.buyerTierName}`;
  return (
    <li>
      {maySettle && (
        <Checkbox
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
          aria-label={`Choose lead ${shortId(item.leadId)} at ${name}`}
        />
      )}
      <div className="to-settle-what">
        <p>
          <strong>{name}</strong>{' '}
          <span className={`pill ${item.kind === 'late' ? 'info' : 'warn'}`}>{item.kind === 'late' ? 'Late yes' : 'Held'}</span>{' '}
          {item.test && <span className="pill warn">Test</span>}
        </p>
        <p>
          <Sentence text={item.text} />
          {item.soldTo.length > 0 && ` It was sold to ${item.soldTo.join(', ')} meanwhile.`}
        </p>
        {item.refused && (
          <p>
            It said later that it bought. <Sentence text={item.refused} />
          </p>
        )}
        <p className="muted small">
          Lead{' '}
          <Link to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId: item.leadId }} className="link">
            <code className="mono">{shortId(item.leadId)}</code>
          </Link>{' '}
          of {item.publisherName}, received <ExactTime at={item.receivedAt} /> (<TimeAgo at={item.receivedAt} />)
          {item.expiresAt && (
            <>
              ; taken as not bought from <ExactTime at={item.expiresAt} />
            </>
          )}
        </p>
        {refusal && (
          <p className="bad small" role="alert">
            {refusal}
          </p>
        )}
      </div>
      {maySettle ? (
        <div className="to-settle-say">
          <AmountInput size="xs" value={price} onChange={onPrice} aria-label={`What ${name} pays`} placeholder="Price" />
          <Button size="xs" disabled={price === '' || isBusy} onClick={() => onSay('bought')}>
            Buyer bought it
          </Button>
          <Button size="xs" variant="default" disabled={isBusy} onClick={() => onSay('notBought')}>
            Buyer did not
          </Button>
        </div>
      ) : (
        item.price && (
          <span className="tabular">
            <MoneyText amount={item.price} exact />
          </span>
        )
      )}
    </li>
  );
}
