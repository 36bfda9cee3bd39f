import { describe, expect, test } from 'vitest';
import { bounded, firstView, isUnderCorner, LEAST_ZOOM, MOST_ZOOM, moved, scaleOf, wholeView, zoomed } from './map-view.ts';
import outlines from './outlines-us.json' with { type: 'json' };

/** Where a point of the map stands in the box, from its middle. */
const seenAt = (view: ReturnType<typeof firstView>, point: { x: number; y: number }) => ({
  x: (point.x - view.x) * scaleOf(view),
  y: (point.y - view.y) * scaleOf(view),
});

/** Of an outline: from where each part begins on, by steps. */
const pointsOf = (path: string) =>
  path.split('M').flatMap((part) => {
    const numbers = (part.match(/-?\d+/g) ?? []).map(Number);
    let [x, y] = [0, 0];
    return Array.from({ length: Math.floor(numbers.length / 2) }, (_, at) => {
      x += numbers[2 * at]!;
      y += numbers[2 * at + 1]!;
      return { x, y };
    });
  });

describe('console §2: the map of comm-maps', () => {
  test('begins at zoom 6', () => {
    expect([firstView('us').zoom, firstView('uk').zoom]).toEqual([6, 6]);
    expect(scaleOf(firstView('us'))).toBe(0.5);
  });

  test('what is zoomed at stays under the pointer', () => {
    const view = firstView('us');
    const point = { x: 120, y: -60 };
    const place = { x: view.x + point.x / scaleOf(view), y: view.y + point.y / scaleOf(view) };
    const near = zoomed(view, 1.5, point);
    expect(seenAt(near, place).x).toBeCloseTo(point.x, 6);
    expect(seenAt(near, place).y).toBeCloseTo(point.y, 6);
  });

  test('is dragged by as many pixels as the pointer', () => {
    const view = firstView('uk');
    expect(seenAt(moved(view, 30, -10), view)).toEqual({ x: 30, y: -10 });
  });

  test('shows the whole country in whatever box, and never leaves the map', () => {
    for (const box of [
      { width: 1100, height: 520 },
      { width: 340, height: 400 },
    ]) {
      const view = wholeView('us', box);
      for (const [code, { path }] of Object.entries(outlines))
        for (const point of pointsOf(path)) {
          const seen = seenAt(view, point);
          expect([code, Math.abs(seen.x) <= box.width / 2, Math.abs(seen.y) <= box.height / 2]).toEqual([code, true, true]);
        }
      expect(view.zoom).toBeLessThan(5);
    }
    expect(zoomed(firstView('us'), 99).zoom).toBe(MOST_ZOOM);
    expect(zoomed(firstView('us'), -99).zoom).toBe(LEAST_ZOOM);
    expect(bounded({ x: 1e9, y: -5, zoom: 6 }).y).toBe(0);
  });
});

test('a label is left out where it would lie under the tools or the legend, and nowhere else', () => {
  const box = { width: 360, height: 400 };
  const corners = { top: { width: 50, height: 120 }, bottom: { width: 70, height: 80 } };
  const code = { width: 24, height: 18 };
  const under = (x: number, y: number) => isUnderCorner({ x, y }, code, box, corners);
  // Beside, on the edge of and under the tools; between tools and legend; under the legend and left of it.
  expect([under(290, 30), under(300, 30), under(340, 30), under(340, 125), under(340, 200), under(340, 350), under(270, 350)]).toEqual([
    ...[false, true, true, true, false, true, false],
  ]);
  expect(isUnderCorner({ x: 340, y: 390 }, code, box, { ...corners, bottom: { width: 0, height: 0 } })).toBe(false);
});
