import { useElementSize, useMergedRef } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { IconMinus, IconPlus, IconWorld } from '#web/ui/icons.ts';
import { usePrinted } from '#web/ui/use-printed.ts';
import { shadeOf, stepsOf } from './map-steps.ts';
import { type Country, firstView, isUnderCorner, type MapView, moved, scaleOf, wholeView, zoomed } from './map-view.ts';
import type { Outlines } from './outlines.ts';
import './state-map.css';

interface StateMapProps {
  country: Country;
  outlines: Outlines;
  label: string;
  /** By code; one that is missing has none. */
  values: ReadonlyMap<string, number>;
  names: ReadonlyMap<string, string>;
  say: (value: number) => string;
  chosen: string | undefined;
  onChoose: (state: string) => void;
}

/** A label is drawn where its state has so much room for it. */
const ROOM_FOR_CODE = 20;
const ROOM_FOR_VALUE = 46;
/** Of a label, about. */
const CODE = { width: 24, height: 18 };
const CODE_AND_VALUE = { width: 60, height: 44 };
/** Of the tools and the legend to the edge of the map. */
const CORNER_GAP = 14;
const ARROW_STEP = 60;
const ARROWS: Record<string, [right: number, down: number]> = {
  ...{ ArrowLeft: [ARROW_STEP, 0], ArrowRight: [-ARROW_STEP, 0], ArrowUp: [0, ARROW_STEP], ArrowDown: [0, -ARROW_STEP] },
};

/** States shaded by a figure: dragged, pinched, zoomed by its buttons or keys. Whoever cannot see it has the same in the table beside it. */
export function StateMap({ country, outlines, label, values, names, say, chosen, onChoose }: StateMapProps) {
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const [chosenView, setView] = useState<MapView>(() => firstView(country));
  // Paper cannot be dragged.
  const view = usePrinted() ? wholeView(country, { width, height }) : chosenView;
  const [pointed, setPointed] = useState<string>();
  const box = useRef<HTMLDivElement>(null);
  const whole = useMergedRef(ref, box);
  const tools = useElementSize<HTMLDivElement>();
  const legend = useElementSize<HTMLUListElement>();
  const room = (corner: { width: number; height: number }) => ({ width: corner.width + CORNER_GAP, height: corner.height + CORNER_GAP });
  const corners = { top: room(tools), bottom: legend.width > 0 ? room({ width: legend.width + 20, height: legend.height + 12 }) : legend };
  const gestures = useGestures(box, setView);
  // One that is chosen in the table comes into sight; one that is clicked here is there already.
  const clicked = useRef<string>(undefined);
  useEffect(() => {
    const place = chosen === undefined || clicked.current === chosen ? undefined : outlines[chosen]?.at;
    if (place) setView((before) => ({ ...before, x: place[0], y: place[1] }));
  }, [chosen, outlines]);
  const steps = stepsOf([...values.values()]);
  const scale = scaleOf(view);
  const onKey = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key];
    const zoom = event.key === '+' || event.key === '=' ? 0.5 : event.key === '-' ? -0.5 : undefined;
    if (event.target !== event.currentTarget || (!arrow && zoom === undefined)) return;
    event.preventDefault();
    setView((before) => (arrow ? moved(before, ...arrow) : zoomed(before, zoom!)));
  };
  const textOf = (code: string) => `${names.get(code) ?? code}: ${values.has(code) ? say(values.get(code)!) : 'none'}`;
  const inBox = ([x, y]: readonly [number, number]) => ({ x: (x - view.x) * scale + width / 2, y: (y - view.y) * scale + height / 2 });
  const entries = Object.entries(outlines);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of a drawing and its buttons, no fieldset of a form
    <div
      ref={whole}
      className="state-map"
      role="group"
      aria-label={`${label}, on a map: arrow keys move it, plus and minus zoom. The table beside it says the same.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved by keys must be reachable by them
      tabIndex={0}
      onKeyDown={onKey}
      data-dragging={gestures.isDragging || undefined}
      {...gestures.handlers}
    >
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <g transform={`translate(${width / 2 - view.x * scale} ${height / 2 - view.y * scale}) scale(${scale})`}>
          {entries.map(([code, { path }]) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: for pointers alone; the list beside the map has a button for each state
            <path
              key={code}
              d={path}
              className="map-state"
              data-state={code}
              data-shade={shadeOf(steps, values.get(code) ?? 0)}
              data-chosen={code === chosen || undefined}
              onPointerEnter={() => setPointed(code)}
              onPointerLeave={() => setPointed(undefined)}
              onClick={() => {
                if (gestures.wasDragged()) return;
                clicked.current = code;
                onChoose(code);
              }}
            />
          ))}
          {chosen !== undefined && outlines[chosen] && <path d={outlines[chosen].path} className="map-chosen" />}
        </g>
        {entries
          .filter(([, { size }]) => size * scale > ROOM_FOR_CODE)
          .map(([code, { at, size }]) => ({ code, at, hasValue: size * scale > ROOM_FOR_VALUE && values.has(code) }))
          // Half of a word under a button says nothing; pointed at, the state says it.
          .filter(({ at, hasValue }) => !isUnderCorner(inBox(at), hasValue ? CODE_AND_VALUE : CODE, { width, height }, corners))
          .map(({ code, at, hasValue }) => (
            <text key={code} className="map-label" {...inBox(at)}>
              {code}
              {hasValue && (
                <tspan x={inBox(at).x} dy="1.2em">
                  {say(values.get(code)!)}
                </tspan>
              )}
            </text>
          ))}
      </svg>
      <p className="map-pointed" aria-hidden="true">
        {pointed === undefined ? '' : textOf(pointed)}
      </p>
      <div ref={tools.ref} className="map-tools no-print">
        <button type="button" className="tool-button" aria-label="Nearer" title="Nearer" onClick={() => setView((now) => zoomed(now, 1))}>
          <IconPlus size={16} aria-hidden />
        </button>
        <button
          type="button"
          className="tool-button"
          aria-label="Further"
          title="Further"
          onClick={() => setView((now) => zoomed(now, -1))}
        >
          <IconMinus size={16} aria-hidden />
        </button>
        <button
          type="button"
          className="tool-button"
          aria-label="Whole country"
          title="Whole country"
          onClick={() => setView(wholeView(country, { width, height }))}
        >
          <IconWorld size={16} aria-hidden />
        </button>
      </div>
      {steps.length > 0 && (
        <ul ref={legend.ref} className="map-legend small" aria-hidden="true">
          {steps.map(({ from, to }) => (
            <li key={from}>
              <i className="swatch" data-shade={shadeOf(steps, from)} />
              {from === to ? say(from) : `${say(from)} – ${say(to)}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Dragged by one pointer, pinched by two, and zoomed by the wheel while Ctrl is held: the wheel alone is the page's. */
function useGestures(box: { current: HTMLDivElement | null }, setView: (next: (view: MapView) => MapView) => void) {
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const way = useRef(0);
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const element = box.current;
    const onWheel = (event: WheelEvent) => {
      if (!element || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      const point = fromMiddle(element, event.clientX, event.clientY);
      setView((view) => zoomed(view, -event.deltaY / 200, point));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [box, setView]);
  const release = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
    if (pointers.current.size === 0) setDragging(false);
  };
  return {
    isDragging,
    /** So that letting go of a dragged map is no click. */
    wasDragged: () => way.current > 6,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if ((event.target as Element).closest('button')) return;
        if (pointers.current.size === 0) way.current = 0;
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        setDragging(true);
      },
      onPointerMove: (event: PointerEvent) => {
        const before = pointers.current.get(event.pointerId);
        if (!before || !box.current) return;
        const now = { x: event.clientX, y: event.clientY };
        const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
        pointers.current.set(event.pointerId, now);
        way.current += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
        const share = other ? 2 : 1;
        const point = other && fromMiddle(box.current, (now.x + other.x) / 2, (now.y + other.y) / 2);
        const nearer = other ? Math.log2(Math.max(1, apart(now, other)) / Math.max(1, apart(before, other))) : 0;
        setView((view) => zoomed(moved(view, (now.x - before.x) / share, (now.y - before.y) / share), nearer, point));
      },
      onPointerUp: release,
      onPointerCancel: release,
      onPointerLeave: release,
    },
  };
}

const apart = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y);

function fromMiddle(element: Element, x: number, y: number) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: x - left - width / 2, y: y - top - height / 2 };
}
