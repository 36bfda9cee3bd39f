import { MoneyText } from '#web/ui/reporting.tsx';

/** A difference of money, with its sign and its tone. */
export function SignedMoney({ amount, isNeutral }: { amount: string; isNeutral?: boolean }) {
  const isLess = amount.startsWith('-');
  const isNone = /^-?0+\.0+$/.test(amount);
  const tone = isNone ? 'muted' : isNeutral ? '' : isLess ? 'bad' : 'good';
  return (
    <span className={`tabular ${tone}`}>
      {!isLess && !isNone && '+'}
      <MoneyText amount={amount} />
    </span>
  );
}
