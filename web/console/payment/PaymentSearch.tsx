import { ExactSearch } from '#web/ui/ExactSearch.tsx';
import './payment.css';

/** One payment by what a processor calls it, or those of a lead. */
export function PaymentSearch({ value, onSearch }: { value: string; onSearch: (text: string | undefined) => void }) {
  return (
    <ExactSearch
      key={value}
      value={value}
      label="Find payments by transaction id or lead id"
      placeholder="Transaction or lead id, then Enter"
      className="payment-search"
      onSearch={(text) => onSearch(text || undefined)}
    />
  );
}
