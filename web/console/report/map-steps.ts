/** The shades of a map: about as many states in each, so that one large state does not make all others equal. */
export const MOST_STEPS = 5;

export interface Step {
  from: number;
  to: number;
}

/** From the palest to the darkest; what is not above zero has no shade. */
export function stepsOf(values: readonly number[]): Step[] {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b);
  const steps: Step[] = [];
  for (let nth = 0; nth < MOST_STEPS; nth++) {
    const part = sorted.slice(Math.round((nth * sorted.length) / MOST_STEPS), Math.round(((nth + 1) * sorted.length) / MOST_STEPS));
    const last = steps.at(-1);
    const above = last ? part.filter((value) => value > last.to) : part;
    if (above.length > 0) steps.push({ from: above[0]!, to: above.at(-1)! });
  }
  return steps;
}

/** From 1, the palest of as many as there are at most; 0 for none. Few steps take the darker shades. */
export function shadeOf(steps: readonly Step[], value: number): number {
  const at = steps.findIndex(({ to }) => value <= to);
  return value <= 0 || at < 0 ? 0 : at + 1 + MOST_STEPS - steps.length;
}
