/** What the closed sections of a buyer tier's form hold, in a few words: of what is typed, not of what a new one begins with. */
const POST_PRICE: Record<string, string> = {
  take: 'whatever price the post names is taken',
  takeAndFlag: 'another price of the post is taken and flagged',
  refuse: 'another price of the post counts as declined',
};

export function priceRulesHeld({
  floor,
  postPriceRule,
  qualityFactor,
}: Record<'floor' | 'postPriceRule' | 'qualityFactor', string>): string {
  const parts = [
    floor === '' ? 'no floor' : `floor ${floor}`,
    POST_PRICE[postPriceRule],
    Number(qualityFactor) !== 1 && `bids weigh × ${qualityFactor}`,
  ];
  return parts.filter(Boolean).join('; ');
}

const AFTER_TIMEOUT: Record<string, string> = { next: 'the next is asked', hold: 'the lead is held' };
export const timeHeld = ({ timeLimitMs, afterTimeout }: Record<'timeLimitMs' | 'afterTimeout', string>): string =>
  `without an answer in ${Number(timeLimitMs) / 1000} s ${AFTER_TIMEOUT[afterTimeout]}`;

export const afterPostHeld = ({ pendingHours, returnDays }: Record<'pendingHours' | 'returnDays', string>): string =>
  `a pending sale is decided within ${pendingHours} hours${returnDays === '' ? '' : `; returned within ${returnDays} days`}`;
