/**
 * `node server/report/draw-outlines.main.ts <folder>`: draws the outlines of the map of leads anew, into web/console/report/outlines-us.json and -uk.json;
 * `npm run lint:fix` lays them out afterwards.
 *
 * The folder is one in which `npm install us-atlas@3 world-atlas@2 @rapideditor/country-coder@5 polyclip-ts topojson-server topojson-simplify
 * topojson-client` was run; none of it is needed otherwise. The shapes are public domain: states of the United States by the U.S. Census Bureau
 * (us-atlas, ISC), the coast of the United Kingdom by Natural Earth (world-atlas, ISC), divided among its nations by the borders of
 * country-coder (ISC).
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { UK_NATIONS, US_STATES } from '#engine/state.ts';

type Point = [x: number, y: number];
type Ring = Point[];
type Polygons = Ring[][];

const folder = process.argv[2];
if (!folder) throw new Error('Say in which folder the packages are: node server/report/draw-outlines.main.ts <folder>');
const get = createRequire(join(folder, 'x.js'));
const { feature } = get('topojson-client');
const { topology } = get('topojson-server');
const { presimplify, simplify } = get('topojson-simplify');

/** Pixels of the Web Mercator map at zoom 7, by halves of a pixel at the zoom that the map begins with. */
const ZOOM = 7;
const SIZE = 256 * 2 ** ZOOM;
/** What changes no more than so many square pixels is left out, and so are islands smaller than this. */
const DETAIL = 8;
const SMALLEST = 30;

function project([longitude, latitude]: Point): Point {
  // The islands beyond the date line belong to the west of the map.
  const x = ((longitude > 100 ? longitude - 360 : longitude) + 180) / 360;
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) / (2 * Math.PI);
  return [x * SIZE, y * SIZE];
}

/**
 * As maps of the country have it, what lies far off the mainland stands beside it, to a scale of its own: where its middle would be, and how many
 * times as large it is drawn.
 */
const MOVED: Readonly<Record<string, { middle: Point; to: Point; times: number }>> = {
  AK: { middle: [-152, 64], to: [-118.5, 26], times: 0.3 },
  HI: { middle: [-157.3, 20.6], to: [-108.5, 25.4], times: 1.1 },
  AS: { middle: [-170.7, -14.3], to: [-103.5, 24.6], times: 4 },
  GU: { middle: [144.8, 13.4], to: [-101, 24.6], times: 4 },
  MP: { middle: [145.6, 17], to: [-98.5, 24.8], times: 1.4 },
  PR: { middle: [-66.4, 18.2], to: [-75, 26], times: 1.3 },
  VI: { middle: [-64.8, 18], to: [-72, 26], times: 1.6 },
};

function placed(code: string, point: Point): Point {
  const far = MOVED[code];
  const at = project(point);
  if (!far) return at;
  const [middle, to] = [project(far.middle), project(far.to)];
  return [to[0] + (at[0] - middle[0]) * far.times, to[1] + (at[1] - middle[1]) * far.times];
}

const polygonsOf = ({ type, coordinates }: { type: string; coordinates: never }): Polygons =>
  type === 'Polygon' ? [coordinates] : coordinates;
const mapPoints = (polygons: Polygons, use: (point: Point) => Point): Polygons =>
  polygons.map((rings) => rings.map((ring) => ring.map(use)));

function readStates(): Map<string, Polygons> {
  const atlas = get('us-atlas/states-10m.json');
  const codes = new Map(Object.entries(US_STATES).map(([code, name]) => [name, code]));
  codes.set('Commonwealth of the Northern Mariana Islands', 'MP').set('United States Virgin Islands', 'VI');
  return new Map(
    feature(atlas, atlas.objects.states).features.map((one: { properties: { name: string }; geometry: never }) => [
      codes.get(one.properties.name),
      polygonsOf(one.geometry),
    ]),
  );
}

function readNations(): Map<string, Polygons> {
  const atlas = get('world-atlas/countries-10m.json');
  const land = feature(atlas, atlas.objects.countries).features.find(
    (one: { properties: { name: string } }) => one.properties.name === 'United Kingdom',
  );
  const { intersection } = get('polyclip-ts');
  const { feature: borderOf } = get('@rapideditor/country-coder');
  const known: Record<string, string> = { ENG: 'Q21', SCT: 'Q22', WLS: 'Q25', NIR: 'Q26' };
  return new Map(
    Object.keys(UK_NATIONS).map((code) => [code, intersection(land.geometry.coordinates, polygonsOf(borderOf(known[code]).geometry))]),
  );
}

/** By the shared borders at once, so that neighbours still meet. */
function simplified(shapes: Map<string, Polygons>): Map<string, Polygons> {
  const objects = Object.fromEntries(
    [...shapes].map(([code, polygons]) => [
      code,
      { type: 'MultiPolygon', coordinates: mapPoints(polygons, (point) => placed(code, point)) },
    ]),
  );
  const drawn = simplify(presimplify(topology(objects)), DETAIL);
  return new Map([...shapes.keys()].map((code) => [code, polygonsOf(feature(drawn, drawn.objects[code]).geometry)]));
}

const areaOf = (ring: Ring) =>
  ring.reduce((sum, [x, y], at) => sum + x * ring[(at + 1) % ring.length]![1] - ring[(at + 1) % ring.length]![0] * y, 0) / 2;

/** Relative steps in whole pixels; those that lead nowhere are left out. */
function pathOf(ring: Ring): string {
  const points = ring
    .map(([x, y]) => [Math.round(x), Math.round(y)] as const)
    .filter(([x, y], at, all) => at === 0 || x !== all[at - 1]![0] || y !== all[at - 1]![1]);
  const steps = points.slice(1, -1).map(([x, y], at) => `${x - points[at]![0]},${y - points[at]![1]}`);
  return `M${points[0]!.join(',')}l${steps.join(' ')}z`;
}

/** Where its name stands: the middle of its largest part. */
function middleOf(ring: Ring): Point {
  const area = areaOf(ring);
  const sum = (of: 0 | 1) =>
    ring.reduce((all, point, at) => {
      const next = ring[(at + 1) % ring.length]!;
      return all + (point[of] + next[of]) * (point[0] * next[1] - next[0] * point[1]);
    }, 0);
  return [Math.round(sum(0) / (6 * area)), Math.round(sum(1) / (6 * area))];
}

for (const [country, shapes] of [
  ['us', readStates()],
  ['uk', readNations()],
] as const) {
  const outlines = [...simplified(shapes)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, polygons]) => {
      const rings = polygons.flat().sort((a, b) => Math.abs(areaOf(b)) - Math.abs(areaOf(a)));
      const kept = rings.filter((ring, at) => at === 0 || Math.abs(areaOf(ring)) >= SMALLEST);
      return [
        code,
        { path: kept.map(pathOf).join(''), at: middleOf(rings[0]!), size: Math.round(Math.sqrt(Math.abs(areaOf(rings[0]!)))) },
      ] as const;
    });
  const text = JSON.stringify(Object.fromEntries(outlines));
  writeFileSync(join(import.meta.dirname, `../../web/console/report/outlines-${country}.json`), `${text}\n`);
  console.log(`${country}: ${outlines.length} outlines, ${Math.round(text.length / 1024)} KiB`);
}
