/** How a card looks (account §3, §9). Nothing but plain values: the public pages and the console draw from it. */

export interface CardDesign {
  name: string;
  /** From corner to corner. */
  colors: readonly [string, string];
  style: 'classic' | 'rounded' | 'minimal' | 'bold' | 'soft';
  font: string;
}

/** Account §9. */
export const GRADIENT_ANGLE_DEG = 135;

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

export const CARD_DESIGNS = {
  professional: { name: 'Professional', colors: ['#0f3057', '#0a5c77'], style: 'classic', font: SANS },
  modern: { name: 'Modern', colors: ['#3a2fb8', '#7a2bb5'], style: 'rounded', font: `"Avenir Next", Avenir, "Century Gothic", ${SANS}` },
  elegant: { name: 'Elegant', colors: ['#262626', '#595147'], style: 'minimal', font: '"Iowan Old Style", Palatino, Georgia, serif' },
  vibrant: { name: 'Vibrant', colors: ['#b3123f', '#b8480b'], style: 'bold', font: `"Trebuchet MS", Verdana, ${SANS}` },
  natural: { name: 'Natural', colors: ['#1f5a3d', '#56702a'], style: 'soft', font: `Optima, Candara, "Gill Sans", ${SANS}` },
} as const satisfies Record<string, CardDesign>;

export const DESIGN_KEYS = [...(Object.keys(CARD_DESIGNS) as (keyof typeof CARD_DESIGNS)[]), 'custom'] as const;
export type DesignKey = (typeof DESIGN_KEYS)[number];

const FALLBACK = '#0f3057';

/** `color` is that of the design "custom", as #rrggbb; its second colour is the same, darker. */
export function designOf(key: string, color: string): CardDesign {
  if (key !== 'custom') return CARD_DESIGNS[key as keyof typeof CARD_DESIGNS] ?? CARD_DESIGNS.professional;
  const first = isColor(color) ? color.toLowerCase() : FALLBACK;
  return { name: 'Custom', colors: [first, darker(first)], style: 'classic', font: SANS };
}

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

export function gradientOf({ colors }: CardDesign): string {
  return `linear-gradient(${GRADIENT_ANGLE_DEG}deg, ${colors[0]}, ${colors[1]})`;
}

/** White or near-black, whichever reads better on both colours. */
export function inkOf({ colors }: CardDesign): string {
  const worst = (ink: string) => Math.min(...colors.map((color) => contrast(ink, color)));
  return worst('#ffffff') >= worst('#111111') ? '#ffffff' : '#111111';
}

/** How well the name reads on the design: 4.5 is what everybody should get (WCAG AA). */
export const contrastOf = (design: CardDesign): number => Math.min(...design.colors.map((color) => contrast(inkOf(design), color)));

/** By WCAG 2.2: from 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [r, g, b] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const channels = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

const darker = (color: string): string =>
  `#${channels(color)
    .map((value) =>
      Math.round(value * 0.62)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** Of a lander's description, as HTML. */
export const DESCRIPTION_MAX_LENGTH = 20_000;

/** Account §3: the icons there are; anything else is a link. */
export const SOCIAL_KINDS = [
  'instagram',
  'facebook',
  'linkedin',
  'twitter',
  'youtube',
  'tiktok',
  'github',
  'website',
  'email',
  'phone',
  'custom',
] as const;
