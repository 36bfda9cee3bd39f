import { Button, Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ChipClear } from './ChipFrame.tsx';
import { focusFirstError } from './focus-first-error.ts';
import { formatLongMinute } from './format.ts';
import { IconCalendar, IconCheck, IconChevronDown, IconPlus } from './icons.ts';
import { type LogSpan, rangeProblem, type Span, spanLabel } from './period.ts';
import { useReporting } from './reporting.tsx';
import { addDays, dayOf, timeZoneLabel, wallMinuteOf } from './zone.ts';
import './period-chip.css';

export interface Period<Of extends string = Span> {
  period: Of | undefined;
  from: string | undefined;
  to: string | undefined;
}
type AnySpan = Span | LogSpan;
interface PeriodChipProps<Of extends AnySpan> {
  /** The last is the typed range. */
  presets: readonly Of[];
  /** Where a page has several. */
  name?: string;
  value: Period<Of>;
  onChange: (next: Period<Of>) => void;
}
const noPeriod = { period: undefined, from: undefined, to: undefined };

/** With its day of the week, once it is whole. */
const longText = (wall: string) => (Number.isNaN(Date.parse(`${wall}Z`)) ? undefined : formatLongMinute(wall));
const rangeText = ({ from = '', to = '' }: Period<string>) => `${from.replace('T', ' ')} – ${to.replace('T', ' ')}`;

/** The presets of the spec and a typed range, all in the reporting time zone. */
export function PeriodChip<Of extends AnySpan>({ presets, name = 'Period', value, onChange }: PeriodChipProps<Of>) {
  const [opened, setOpened] = useState(false);
  const [custom, setCustom] = useState(false);
  const { zone } = useReporting();
  const toggle = () => {
    setCustom(value.period === 'customRange');
    setOpened(!opened);
  };
  const choose = (next: Period<Of>) => {
    onChange(next);
    setOpened(false);
  };
  const label = value.period && (value.period === 'customRange' ? rangeText(value) : spanLabel[value.period]);
  return (
    <span className="chip" data-set={label !== undefined || undefined}>
      <Popover opened={opened} onChange={setOpened} position="bottom-start" withRoles={false} trapFocus returnFocus width={290}>
        <Popover.Target>
          <button type="button" className="chip-body" aria-haspopup="dialog" aria-expanded={opened} onClick={toggle}>
            {label ? <IconCalendar size={14} aria-hidden /> : <IconPlus size={14} aria-hidden />}
            {name}
            {label && <strong>{label}</strong>}
            {label && <IconChevronDown size={14} aria-hidden />}
          </button>
        </Popover.Target>
        <Popover.Dropdown role="dialog" aria-label={name} className="period-box">
          <p className="muted small period-zone">Days of {timeZoneLabel[zone]}</p>
          <ul className="period-presets">
            {presets.map((span) => (
              <li key={span}>
                <button
                  type="button"
                  aria-pressed={span === 'customRange' ? custom : !custom && value.period === span}
                  aria-expanded={span === 'customRange' ? custom : undefined}
                  onClick={() => (span === 'customRange' ? setCustom(true) : choose({ ...noPeriod, period: span }))}
                >
                  {spanLabel[span]}
                  {value.period === span && <IconCheck size={15} aria-hidden />}
                </button>
              </li>
            ))}
          </ul>
          {custom && <RangeForm value={value} onApply={(range) => choose({ ...range, period: 'customRange' as Of })} />}
        </Popover.Dropdown>
      </Popover>
      {label && <ChipClear name={name} onClear={() => onChange(noPeriod)} />}
    </span>
  );
}

/** The spec's default of the date picker: today, 12:00 AM to 11:59 PM. */
function RangeForm({ value, onApply }: { value: Period<string>; onApply: (range: { from: string; to: string }) => void }) {
  const { zone } = useReporting();
  const today = dayOf(Date.now(), zone);
  const [from, setFrom] = useState(value.from ?? `${today}T00:00`);
  const [to, setTo] = useState(value.to ?? `${today}T23:59`);
  const [problem, setProblem] = useState<ReturnType<typeof rangeProblem>>(null);
  const latest = `${addDays(today, 1)}T23:59`;
  const apply = () => {
    const found = rangeProblem(from, to, dayOf(Date.now(), zone));
    setProblem(found);
    if (found) focusFirstError({ [found.field]: true });
    else onApply({ from, to });
  };
  const messageOf = (field: 'from' | 'to') => (problem?.field === field ? problem.message : undefined);
  return (
    <form
      noValidate
      className="period-form"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextInput
        type="datetime-local"
        label="From"
        data-path="from"
        size="sm"
        value={from}
        description={longText(from)}
        max={latest}
        error={messageOf('from')}
        onChange={(event) => setFrom(event.currentTarget.value.slice(0, 16))}
      />
      <TextInput
        type="datetime-local"
        label="To"
        data-path="to"
        size="sm"
        value={to}
        description={longText(to)}
        max={latest}
        error={messageOf('to')}
        onChange={(event) => setTo(event.currentTarget.value.slice(0, 16))}
      />
      <Button type="submit" size="sm" title={`Now it is ${wallMinuteOf(Date.now(), zone).replace('T', ' ')} ${timeZoneLabel[zone]}`}>
        Apply
      </Button>
    </form>
  );
}
