import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import type { Cap } from '#contract/tier.ts';
import { IconPlus, IconX } from '#web/ui/icons.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import { TimeZoneSelect } from './TimeZoneSelect.tsx';

/** A cap while it is being typed: its limit is a text. */
export interface CapText {
  measure: Cap['measure'];
  period: Cap['period'];
  limit: string;
  timeZone: string;
}

export const toCapTexts = (caps: readonly Cap[]): CapText[] => caps.map((cap) => ({ ...cap, limit: String(cap.limit) }));
export const toCaps = (caps: readonly CapText[]): unknown[] =>
  caps.map((cap) => ({ ...cap, limit: cap.measure === 'money' ? cap.limit : Number(cap.limit) }));

const MEASURES = [
  { value: 'sold', label: 'Sold leads' },
  { value: 'sent', label: 'Leads sent' },
  { value: 'money', label: 'Money' },
];
const PERIODS = [
  { value: 'hour', label: 'per hour' },
  { value: 'day', label: 'per day' },
  { value: 'week', label: 'per week' },
  { value: 'month', label: 'per month' },
  { value: 'overall', label: 'overall' },
];

/** Two that limit the same thing over the same span are allowed; only one of them ever does anything. */
export function sayTwice(caps: readonly CapText[]): string | undefined {
  const keyOf = ({ measure, period, timeZone }: CapText) => [measure, period, period === 'overall' ? '' : timeZone].join();
  const second = caps.find((cap, at) => caps.findIndex((one) => keyOf(one) === keyOf(cap)) < at);
  if (!second) return undefined;
  const [measure, period] = [MEASURES.find((one) => one.value === second.measure)!, PERIODS.find((one) => one.value === second.period)!];
  return `${measure.label} ${period.label} ${measure.value === 'money' ? 'is' : 'are'} limited more than once: only the lowest of these caps counts.`;
}

/** A cap of nothing is allowed, and is a way to stop a tier; it is no way to have no cap. */
export function sayZero(caps: readonly CapText[]): string | undefined {
  const isZero = caps.some(({ limit }) => limit.trim() !== '' && Number(limit) === 0);
  return isZero ? 'A cap of 0 sells nothing: not one lead passes here while it stands. Remove it if there is to be no limit.' : undefined;
}

interface CapsEditorProps {
  value: CapText[];
  onChange: (value: CapText[]) => void;
  timeZone: string;
  error?: React.ReactNode;
}

/** How much at most, per span of time, in the zone where the span begins. */
export function CapsEditor({ value, onChange, timeZone, error }: CapsEditorProps) {
  const set = (at: number, part: Partial<CapText>) => onChange(value.map((cap, index) => (index === at ? { ...cap, ...part } : cap)));
  const warnings = [sayZero(value), sayTwice(value)].filter((text) => text !== undefined);
  return (
    <div className="form-stack" data-path="caps">
      {value.length > 0 && (
        <ul className="rule-lines">
          {value.map((cap, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cap has no name of its own
            <li key={at} className="rule-line">
              <NativeSelect
                label="What"
                data={MEASURES}
                value={cap.measure}
                onChange={(event) => set(at, { measure: event.currentTarget.value as Cap['measure'] })}
              />
              {cap.measure === 'money' ? (
                <AmountInput label="At most" value={cap.limit} onChange={(limit) => set(at, { limit })} />
              ) : (
                <DigitsInput label="At most" value={cap.limit} onChange={(limit) => set(at, { limit })} />
              )}
              <NativeSelect
                label="Span"
                data={PERIODS}
                value={cap.period}
                onChange={(event) => set(at, { period: event.currentTarget.value as Cap['period'] })}
              />
              <TimeZoneSelect label="Time zone" value={cap.timeZone} onChange={(zone) => set(at, { timeZone: zone })} />
              <ActionIcon
                variant="default"
                size={36}
                aria-label={`Remove cap ${at + 1}`}
                onClick={() => onChange(value.filter((_, index) => index !== at))}
              >
                <IconX size={16} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {warnings.map((text) => (
        <p key={text} className="warn small" role="status">
          {text}
        </p>
      ))}
      {error && (
        <p className="bad small" role="alert">
          {error}
        </p>
      )}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          disabled={value.length >= 20}
          onClick={() => onChange([...value, { measure: 'sold', period: 'day', limit: '', timeZone }])}
        >
          Add a cap
        </Button>
      </div>
    </div>
  );
}
