import { NativeSelect, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { type AnswerRule, bidsOf, partsOf, placesOf, setBids, setParts, setPlaces } from './answer-rules.ts';
import type { Leg, LegName } from './endpoint-draft.ts';
import { Places } from './Places.tsx';

interface AnswerValuesProps {
  leg: Leg;
  name: LegName;
  onChange: (leg: Leg) => void;
  kind: 'buyer' | 'service';
}

const UNITS = [
  { value: '', label: 'in whole units: 12.50' },
  { value: 'cent', label: 'in cents: 1250' },
];
const DECIMALS = [
  { value: '', label: 'dot or comma, by their shape' },
  { value: '.', label: 'a dot: 1,250.00' },
  { value: ',', label: 'a comma: 1.250,00' },
];
const COMBINES = [
  { value: '', label: 'the first' },
  { value: 'highest', label: 'the highest' },
  { value: 'sum', label: 'their sum' },
];
const MOMENT_UNITS = [
  { value: 'seconds', label: 'seconds from now' },
  { value: 'minutes', label: 'minutes from now' },
  { value: 'iso', label: 'a date and time: 2026-05-01T10:00:00Z' },
  { value: 'epoch', label: 'a Unix time' },
];
const DECODES = [
  { value: '', label: 'undone where it can be told' },
  { value: 'none', label: 'left as it is' },
  { value: 'percent', label: 'percent-encoding undone' },
  { value: 'html', label: 'HTML entities undone' },
];

/** What is taken from an answer beside its outcome: a row for each value, with where it stands and how it is meant. */
export function AnswerValues({ leg, name, onChange, kind }: AnswerValuesProps) {
  if (kind === 'service')
    return (
      <Rule title="Reason">
        <RulePlaces leg={leg} rule="reasons" what="reason" hint="errors[*].message" onChange={onChange} />
      </Rule>
    );
  const isPing = name === 'ping';
  // What is there already is shown, whatever call it stands in.
  const shows = (rule: AnswerRule, usual: boolean) => usual || placesOf(leg, rule).length > 0 || Object.keys(partsOf(leg, rule)).length > 0;
  return (
    <>
      <Price leg={leg} onChange={onChange} isPing={isPing} />
      {shows('expiry', isPing) && <Expiry leg={leg} onChange={onChange} />}
      {shows('redirect', !isPing) && <Redirect leg={leg} onChange={onChange} />}
      {shows('reference', !isPing) && (
        <Rule title="Reference" says="What the buyer calls the lead; it stands with the sale.">
          <RulePlaces leg={leg} rule="reference" what="reference" hint="lead_id" onChange={onChange} />
        </Rule>
      )}
      <Rule title="Reason" says="Why the buyer declined.">
        <RulePlaces leg={leg} rule="reasons" what="reason" hint="errors[*].message" onChange={onChange} />
      </Rule>
      <RetryAfter leg={leg} onChange={onChange} />
    </>
  );
}

function Rule({ title, says, children }: { title: string; says?: string; children: ReactNode }) {
  return (
    <section className="answer-rule" aria-label={`${title} in the answer`}>
      <div>
        <strong className="small">{title}</strong>
        {says && <p className="muted small">{says}</p>}
      </div>
      <div className="answer-rule-parts">{children}</div>
    </section>
  );
}

interface RulePlacesProps {
  leg: Leg;
  rule: AnswerRule;
  what: string;
  hint: string;
  onChange: (leg: Leg) => void;
}
const RulePlaces = ({ leg, rule, what, hint, onChange }: RulePlacesProps) => (
  <Places what={what} hint={hint} places={placesOf(leg, rule)} onChange={(places) => onChange(setPlaces(leg, rule, places))} />
);

interface PartProps {
  leg: Leg;
  onChange: (leg: Leg) => void;
}

function Price({ leg, onChange, isPing }: PartProps & { isPing: boolean }) {
  const [title, what] = isPing ? ['Bid', 'bid'] : ['Price', 'price'];
  const parts = partsOf(leg, 'price');
  const bids = bidsOf(leg);
  const places = placesOf(leg, 'price');
  const choose = (part: string, label: string, data: { value: string; label: string }[]) => (
    <NativeSelect
      size="xs"
      label={label}
      data={data}
      value={parts[part] === 'auto' || parts[part] === 'unit' || parts[part] === 'first' ? '' : String(parts[part] ?? '')}
      onChange={(event) => onChange(setParts(leg, 'price', { [part]: event.currentTarget.value }))}
    />
  );
  return (
    <Rule title={title}>
      <RulePlaces leg={leg} rule="price" what={what} hint="price" onChange={onChange} />
      {places.length > 0 && (
        <div className="answer-parts">
          {choose('unit', 'Written', UNITS)}
          {choose('decimal', 'Decimal sign', DECIMALS)}
          {choose('combine', 'Of several', COMBINES)}
        </div>
      )}
      <Switch
        size="xs"
        label="The answer holds a list of bids"
        checked={bids !== undefined}
        onChange={(event) => onChange(setBids(leg, event.currentTarget.checked ? { list: '', price: '' } : undefined))}
      />
      {bids && (
        <div className="answer-parts">
          <TextInput
            size="xs"
            label="List of bids stands at"
            placeholder="bids"
            spellCheck={false}
            maxLength={300}
            value={bids.list}
            onChange={(event) => onChange(setBids(leg, { ...bids, list: event.currentTarget.value.trim() }))}
          />
          <TextInput
            size="xs"
            label="Price in each bid stands at"
            placeholder="price"
            spellCheck={false}
            maxLength={300}
            value={bids.price}
            onChange={(event) => onChange(setBids(leg, { ...bids, price: event.currentTarget.value.trim() }))}
          />
          <NativeSelect
            size="xs"
            label="Taken"
            data={[
              { value: 'highest', label: 'The highest' },
              { value: 'all', label: 'All together' },
            ]}
            value={bids.takesAll ? 'all' : 'highest'}
            onChange={(event) => onChange(setBids(leg, { ...bids, takesAll: event.currentTarget.value === 'all' }))}
          />
          {isPing && (
            <AmountInput
              size="xs"
              label="Of bids of at least"
              placeholder="any"
              value={bids.atLeast}
              onChange={(atLeast) => onChange(setBids(leg, { ...bids, atLeast }))}
            />
          )}
        </div>
      )}
    </Rule>
  );
}

function Expiry(props: PartProps) {
  return (
    <Rule title="Expiry of the bid" says="After it the bid is not posted. Where the answer says nothing it holds for two minutes.">
      <Moment {...props} rule="expiry" what="expiry" hint="expires_in" />
    </Rule>
  );
}

function RetryAfter(props: PartProps) {
  return (
    <Rule
      title="Time to wait"
      says="A refusal that names one means that the buyer takes no more for now: nothing is sent to it until then. The header Retry-After of a 429 is read by itself."
    >
      <Moment {...props} rule="retryAfter" what="time to wait" hint="retry_after" />
    </Rule>
  );
}

/** A value that says until when. */
function Moment({ leg, onChange, rule, what, hint }: PartProps & { rule: 'expiry' | 'retryAfter'; what: string; hint: string }) {
  const parts = partsOf(leg, rule);
  return (
    <>
      <RulePlaces leg={leg} rule={rule} what={what} hint={hint} onChange={onChange} />
      {placesOf(leg, rule).length > 0 && (
        <div className="answer-parts">
          <NativeSelect
            size="xs"
            label="Written as"
            data={MOMENT_UNITS}
            value={String(parts.unit ?? 'seconds')}
            onChange={(event) => onChange(setParts(leg, rule, { unit: event.currentTarget.value }))}
          />
          {parts.unit === 'iso' && (
            <TextInput
              size="xs"
              label="Time zone where it names none"
              placeholder="UTC"
              maxLength={60}
              value={String(parts.timeZone ?? '')}
              onChange={(event) => onChange(setParts(leg, rule, { timeZone: event.currentTarget.value.trim() }))}
            />
          )}
        </div>
      )}
    </>
  );
}

function Redirect({ leg, onChange }: PartProps) {
  const parts = partsOf(leg, 'redirect');
  const schemes = Array.isArray(parts.schemes) ? parts.schemes.map(String) : [];
  return (
    <Rule title="Redirect" says="Where the consumer is sent after a sale.">
      <RulePlaces leg={leg} rule="redirect" what="redirect" hint="redirectUrl" onChange={onChange} />
      <div className="answer-parts">
        {placesOf(leg, 'redirect').length > 0 && (
          <NativeSelect
            size="xs"
            label="Encoding of the address"
            data={DECODES}
            value={parts.decode === 'auto' ? '' : String(parts.decode ?? '')}
            onChange={(event) => onChange(setParts(leg, 'redirect', { decode: event.currentTarget.value }))}
          />
        )}
        <TextInput
          size="xs"
          label="Where the answer names none"
          placeholder="https://buyer.example/{{capture.id}}"
          spellCheck={false}
          maxLength={2000}
          value={String(parts.template ?? '')}
          onChange={(event) => onChange(setParts(leg, 'redirect', { template: event.currentTarget.value.trim() }))}
        />
      </div>
      <Switch
        size="xs"
        label="https only"
        checked={schemes.join() === 'https'}
        onChange={(event) => onChange(setParts(leg, 'redirect', { schemes: event.currentTarget.checked ? ['https'] : undefined }))}
      />
    </Rule>
  );
}
