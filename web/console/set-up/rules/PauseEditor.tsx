import { Switch, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import type { PauseDatesRule } from '#contract/tier.ts';
import { toDays, toRanges } from './pause-days.ts';
import { TimeZoneSelect } from './TimeZoneSelect.tsx';
import '@mantine/dates/styles.css';

interface PauseEditorProps {
  value: PauseDatesRule | null;
  onChange: (value: PauseDatesRule | null) => void;
  timeZone: string;
}

/** Days on which nothing is taken, chosen on a calendar. */
export function PauseEditor({ value, onChange, timeZone }: PauseEditorProps) {
  const days = value ? toDays(value.days) : [];
  return (
    <>
      <Switch
        label="Pause on certain days"
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? { timeZone, days: [] } : null)}
      />
      {value && (
        <>
          <TimeZoneSelect
            label="Days of the time zone"
            value={value.timeZone}
            onChange={(zone) => onChange({ ...value, timeZone: zone })}
          />
          <div className="pause-calendar">
            <DatePicker
              type="multiple"
              numberOfColumns={2}
              value={days}
              onChange={(next) => onChange({ ...value, days: toRanges(next, value.days) })}
              ariaLabels={{ nextMonth: 'Next month', previousMonth: 'Previous month' }}
            />
          </div>
          {value.days.length === 0 && <p className="muted small">No day is chosen yet.</p>}
          <ul className="rule-lines">
            {value.days.map((range, at) => (
              <li key={range.from} className="rule-line">
                <span className="tabular rule-narrow">{range.from === range.to ? range.from : `${range.from} to ${range.to}`}</span>
                <TextInput
                  size="xs"
                  aria-label={`Note for ${range.from}`}
                  placeholder="Note, such as Christmas"
                  maxLength={200}
                  value={range.note ?? ''}
                  onChange={(event) => {
                    const note = event.currentTarget.value;
                    const { note: _, ...bare } = range;
                    onChange({ ...value, days: value.days.map((one, index) => (index === at ? (note ? { ...bare, note } : bare) : one)) });
                  }}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
