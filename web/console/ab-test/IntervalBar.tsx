interface IntervalBarProps {
  low: number;
  high: number;
  middle: number;
  /** How far the picture reaches to each side of zero. */
  reach: number;
  tone: string;
}

const HALF = 60;

/** An interval against zero, for the eye; the figures stand beside it. */
export function IntervalBar({ low, high, middle, reach, tone }: IntervalBarProps) {
  const x = (value: number) => HALF + (Math.max(-reach, Math.min(reach, value)) / reach) * (HALF - 4);
  return (
    <svg viewBox={`0 0 ${2 * HALF} 20`} width={2 * HALF} height="20" aria-hidden="true" className={`interval-bar ${tone}`}>
      <line x1={HALF} x2={HALF} y1="1" y2="19" className="interval-zero" />
      <line x1={x(low)} x2={x(high)} y1="10" y2="10" className="interval-line" />
      <circle cx={x(middle)} cy="10" r="4" className="interval-middle" />
    </svg>
  );
}
