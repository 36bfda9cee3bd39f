/** How much is held of a consumer, in words. */
import type { FindPersonAnswer } from '#contract/data-request.ts';
import { formatCount } from '#web/ui/format.ts';

/** From this many on, leads are counted no further. */
const COUNTED_TO = 1_000;

/** '3 leads', '1,000+ leads', '1 sample lead and 2 refused calls'. */
export function sayHeld({ total, beside }: Pick<FindPersonAnswer, 'total' | 'beside'>): string {
  const [samples, calls] = [beside?.samples.length ?? 0, beside?.calls.length ?? 0];
  const leads = `${formatCount(total)}${total >= COUNTED_TO ? '+' : ''} ${total === 1 ? 'lead' : 'leads'}`;
  const parts = [
    ...(total > 0 || samples + calls === 0 ? [leads] : []),
    ...(samples > 0 ? [`${formatCount(samples)} sample ${samples === 1 ? 'lead' : 'leads'}`] : []),
    ...(calls > 0 ? [`${formatCount(calls)} refused ${calls === 1 ? 'call' : 'calls'}`] : []),
  ];
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts.join('');
}
