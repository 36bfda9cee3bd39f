import { Button, Switch, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { HoursRule } from '#contract/tier.ts';
import { TimeZoneSelect } from './TimeZoneSelect.tsx';
import { emptyWeek, hourState, officeWeek, readDay, type Span, sayDay, setHour, type Week, weekdays } from './week.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

interface HoursEditorProps {
  value: HoursRule | null;
  onChange: (value: HoursRule | null) => void;
  timeZone: string;
}

/** Opening hours on a week grid: click, drag or type. Without a rule it is always open. */
export function HoursEditor({ value, onChange, timeZone }: HoursEditorProps) {
  const setDay = (at: number, spans: Span[]) => {
    if (!value) return;
    onChange({ ...value, week: value.week.map((day, index) => (index === at ? spans : day)) as unknown as Week });
  };
  return (
    <>
      <Switch
        label="Only at certain hours"
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? { timeZone, week: officeWeek() } : null)}
      />
      {value && (
        <>
          <TimeZoneSelect label="In the time zone" value={value.timeZone} onChange={(zone) => onChange({ ...value, timeZone: zone })} />
          <WeekGrid week={value.week} onDay={setDay} />
          <div className="row">
            <Button
              size="xs"
              variant="default"
              onClick={() => onChange({ ...value, week: value.week.map(() => value.week[0]) as unknown as Week })}
            >
              Every day as Monday
            </Button>
            <Button size="xs" variant="default" onClick={() => onChange({ ...value, week: emptyWeek() })}>
              Close all
            </Button>
          </div>
        </>
      )}
    </>
  );
}

function WeekGrid({ week, onDay }: { week: Week; onDay: (at: number, spans: Span[]) => void }) {
  // What the pointer paints while it is down: open or closed.
  const painting = useRef<boolean | null>(null);
  const stop = () => {
    painting.current = null;
  };
  return (
    <div className="week" onPointerUp={stop} onPointerLeave={stop}>
      <div className="week-row" aria-hidden="true">
        <span />
        <span className="week-scale">
          <span>0</span>
          <span>6</span>
          <span>12</span>
          <span>18</span>
          <span>24</span>
        </span>
        <span />
      </div>
      {week.map((spans, at) => (
        <div className="week-row" key={weekdays[at]}>
          <span className="small">{weekdays[at]}</span>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid of equal columns in every browser */}
          <span className="week-cells" role="group" aria-label={`Hours of ${weekdays[at]}`}>
            {HOURS.map((hour) => {
              const state = hourState(spans, hour);
              const paint = (isOpen: boolean) => onDay(at, setHour(spans, hour, isOpen));
              return (
                <button
                  key={hour}
                  type="button"
                  className="week-cell"
                  aria-label={`${weekdays[at]} ${hour}:00 to ${hour + 1}:00`}
                  aria-pressed={state === 'all' ? true : state === 'some' ? 'mixed' : false}
                  onPointerDown={(event) => {
                    event.currentTarget.releasePointerCapture(event.pointerId);
                    painting.current = state !== 'all';
                    paint(state !== 'all');
                  }}
                  onPointerEnter={() => painting.current !== null && paint(painting.current)}
                  onKeyDown={(event) => {
                    if (event.key !== ' ' && event.key !== 'Enter') return;
                    event.preventDefault();
                    paint(state !== 'all');
                  }}
                />
              );
            })}
          </span>
          <DayText key={sayDay(spans)} day={weekdays[at]!} spans={spans} onChange={(next) => onDay(at, next)} />
        </div>
      ))}
    </div>
  );
}

function DayText({ day, spans, onChange }: { day: string; spans: Span[]; onChange: (spans: Span[]) => void }) {
  const [text, setText] = useState(sayDay(spans));
  const read = readDay(text);
  return (
    <TextInput
      size="xs"
      aria-label={`Hours of ${day}, typed`}
      placeholder="Closed"
      value={text}
      error={read ? undefined : 'Such as 08:30-12:00, 13:00-17:00'}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => read && onChange(read)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !read) return;
        event.preventDefault();
        onChange(read);
      }}
    />
  );
}
