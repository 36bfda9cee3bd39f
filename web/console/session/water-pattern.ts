/** Eight pictures of water led by gates, drawn as lines. Each is a list of strokes in a field of 1600 by 1000. */
export interface Stroke {
  d: string;
  /** 0 faint to 2 strong. */
  weight: 0 | 1 | 2;
}
export const fieldWidth = 1600;
export const fieldHeight = 1000;

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const weightOf = (at: number): Stroke['weight'] => (at % 4 === 0 ? 2 : at % 2 === 0 ? 1 : 0);

/** One gate: two posts, a beam and a lifted board. */
const gate = (x: number, y: number, size: number): Stroke => ({
  d: `M${x} ${y}v${size}M${x + size * 0.62} ${y}v${size}M${x - size * 0.1} ${y}h${size * 0.82}M${x} ${y + size * 0.16}h${size * 0.62}v${size * 0.3}h${-size * 0.62}z`,
  weight: 2,
});

/** One stream that becomes many, each channel with a gate at its head. */
const delta = (): Stroke[] => [
  ...range(17).map((at) => ({
    d: `M-20 ${480 + (at - 8) * 5}C520 ${480 + (at - 8) * 5} 640 ${-60 + at * 70} 1640 ${-60 + at * 70}`,
    weight: weightOf(at),
  })),
  ...[150, 430, 710].map((y) => gate(1120, y, 110)),
];

/** Parallel canals that step down at weirs. */
const canals = (): Stroke[] => [
  ...range(21).map((at) => {
    const y = 20 + at * 48;
    const step = 260 + ((at * 5) % 7) * 150;
    return { d: `M-20 ${y}H${step}c60 0 60 48 120 48H1640`, weight: weightOf(at) };
  }),
  gate(520, 330, 130),
  gate(1020, 560, 130),
];

/** Contours of terraces, water standing on each. */
const terraces = (): Stroke[] =>
  range(19).map((at) => {
    const y = 1040 - at * 52;
    const bend = 90 + at * 9;
    return {
      d: `M-20 ${y}C260 ${y - bend} 420 ${y + bend * 0.4} 760 ${y - bend * 0.5}S1320 ${y + bend * 0.7} 1640 ${y - bend * 0.4}`,
      weight: weightOf(at),
    };
  });

/** Rings where a drop fell, cut by two lock gates. */
const ripples = (): Stroke[] => [
  ...range(20).map((at) => ({ d: ring(420, 620, 30 + at * 56), weight: weightOf(at) })),
  ...range(9).map((at) => ({ d: ring(1330, 180, 24 + at * 44), weight: weightOf(at + 1) })),
];
const ring = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

/** Mitre gates of a lock, one behind the other. */
const lock = (): Stroke[] =>
  range(22).map((at) => ({ d: `M${-420 + at * 100} -20L${-60 + at * 100} 500L${-420 + at * 100} 1020`, weight: weightOf(at) }));

/** A braided river: strands that part and meet. */
const braid = (): Stroke[] =>
  range(16).map((at) => {
    const base = 500 + (at - 7.5) * 24;
    const swing = (at - 7.5) * 58;
    return {
      d: `M-20 ${base}C220 ${base + swing} 420 ${base + swing} 640 ${base}S1060 ${base - swing} 1240 ${base}S1500 ${base + swing * 0.7} 1640 ${base + swing * 0.5}`,
      weight: weightOf(at),
    };
  });

/** Water over a weir, seen from the front. */
const weir = (): Stroke[] => [
  ...range(41).map((at) => {
    const x = at * 41 - 20;
    const lip = 300 + Math.round(Math.sin(at / 3.1) * 46);
    return { d: `M${x} -20V${lip}c0 90 14 120 14 210V1020`, weight: weightOf(at) };
  }),
  { d: 'M-20 300C300 250 560 350 860 296S1380 250 1640 306', weight: 2 },
];

/** For a tall screen: a fall that a gate parts in three. */
const fall = (): Stroke[] => [
  ...range(19).map((at) => {
    const from = 800 + (at - 9) * 8;
    const to = 800 + (at - 9) * 46;
    return { d: `M${from} -20C${from} 300 ${to} 300 ${to} 620V1020`, weight: weightOf(at) };
  }),
  gate(752, 130, 150),
];

const pictures = [canals, delta, terraces, ripples, lock, braid, weir, fall] as const;
export const pictureCount = pictures.length;

/** Pictures are numbered from 1 as in the spec; 8 is the one for phones and tablets. */
export const drawPicture = (number: number): Stroke[] => (pictures[number - 1] ?? canals)();
