/** Where one looks on the map of states: Web Mercator, in pixels of zoom 7, as the outlines are drawn (server/report/draw-outlines.main.ts). */
export interface MapView {
  /** What lies in the middle of the box. */
  x: number;
  y: number;
  zoom: number;
}

export interface Box {
  width: number;
  height: number;
}

const DRAWN_AT = 7;
const MAP_SIZE = 256 * 2 ** DRAWN_AT;
export const LEAST_ZOOM = 2;
export const MOST_ZOOM = 9;
/** Console §2 names the map, the design its first zoom. */
export const FIRST_ZOOM = 6;

/** How many pixels of the box one of the outlines is. */
export const scaleOf = ({ zoom }: Pick<MapView, 'zoom'>): number => 2 ** (zoom - DRAWN_AT);

function at(latitude: number, longitude: number) {
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) / (2 * Math.PI);
  return { x: ((longitude + 180) / 360) * MAP_SIZE, y: y * MAP_SIZE };
}

const FIRST = { us: at(39.5, -96), uk: at(55, -3.5) };
/** North-west and south-east of all that is drawn; what lies far off the mainland of the US stands south of it. */
const WHOLE = { us: [at(49.6, -129.4), at(19.3, -66)], uk: [at(60.9, -8.8), at(49.8, 2)] } as const;

export type Country = keyof typeof FIRST;

export const firstView = (country: Country): MapView => ({ ...FIRST[country], zoom: FIRST_ZOOM });

export function wholeView(country: Country, { width, height }: Box): MapView {
  const [northWest, southEast] = WHOLE[country];
  const scale = Math.min(width / (southEast.x - northWest.x), height / (southEast.y - northWest.y));
  return bounded({ x: (northWest.x + southEast.x) / 2, y: (northWest.y + southEast.y) / 2, zoom: DRAWN_AT + Math.log2(scale) });
}

/** Within the zooms, and with its middle on the map. */
export function bounded({ x, y, zoom }: MapView): MapView {
  const between = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
  return { x: between(x, 0, MAP_SIZE), y: between(y, 0, MAP_SIZE), zoom: between(zoom, LEAST_ZOOM, MOST_ZOOM) };
}

/** What stands in the corners on the right of the box, with the room around it. */
export interface Corners {
  top: Box;
  bottom: Box;
}

/** Whether a label of this size, its middle here, would lie under one of the corners. */
export function isUnderCorner({ x, y }: { x: number; y: number }, label: Box, box: Box, { top, bottom }: Corners): boolean {
  const right = x + label.width / 2;
  const isBeside = (corner: Box) => corner.width > 0 && right > box.width - corner.width;
  return (isBeside(top) && y - label.height / 2 < top.height) || (isBeside(bottom) && y + label.height / 2 > box.height - bottom.height);
}

/** Moved by so many pixels of the box. */
export const moved = (view: MapView, right: number, down: number): MapView =>
  bounded({ ...view, x: view.x - right / scaleOf(view), y: view.y - down / scaleOf(view) });

/** Nearer by so many zooms, what lies under a point of the box (from its middle) staying there. */
export function zoomed(view: MapView, by: number, point = { x: 0, y: 0 }): MapView {
  const next = bounded({ ...view, zoom: view.zoom + by });
  const shift = 1 / scaleOf(view) - 1 / scaleOf(next);
  return bounded({ ...next, x: view.x + point.x * shift, y: view.y + point.y * shift });
}
