/** The three distributions a test is judged by; each is exact to about ten digits (see distribution.test.ts). */

/** ln Γ(x) for x > 0, by Lanczos (g = 7, nine terms). */
function logGamma(x: number): number {
  const terms = [
    0.999_999_999_999_809_93, 676.520_368_121_885_1, -1_259.139_216_722_402_8, 771.323_428_777_653_13, -176.615_029_162_140_59,
    12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_571_6e-6, 1.505_632_735_149_311_6e-7,
  ];
  const at = x - 1;
  const sum = terms.reduce((total, term, index) => total + (index === 0 ? term : term / (at + index)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (at + 0.5) * Math.log(at + 7.5) - (at + 7.5) + Math.log(sum);
}

const TINY = 1e-300;

/** A continued fraction by Lentz's method: 1/(1 + d1/(1 + d2/(1 + ...))). */
function continuedFraction(term: (index: number) => number): number {
  let [value, c, d] = [1, 1, 0];
  for (let index = 0; index < 10_000; index++) {
    const next = term(index);
    d = 1 / (Math.abs(1 + next * d) < TINY ? TINY : 1 + next * d);
    c = Math.abs(1 + next / c) < TINY ? TINY : 1 + next / c;
    value *= c * d;
    if (Math.abs(c * d - 1) < 1e-14) break;
  }
  return 1 / value;
}

/** Regularised incomplete beta function I_x(a, b). */
function beta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - beta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  const fraction = continuedFraction((index) => {
    const m = (index + 1) >> 1;
    return index % 2 === 0
      ? (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
      : (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
  });
  return front * fraction;
}

/** P(T <= t) of Student's distribution. */
export function studentBelow(t: number, degrees: number): number {
  const tail = beta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** The t below which a share of `probability` (0.5 or more, below 1) lies. */
export const studentQuantile = (probability: number, degrees: number): number => quantile(probability, (t) => studentBelow(t, degrees));

/** The same of the normal distribution, whose square is chi-square's with one degree. */
export const normalQuantile = (probability: number): number => quantile(probability, (z) => 1 - chiSquareAbove(z * z, 1) / 2);

function quantile(probability: number, below: (x: number) => number): number {
  let [low, high] = [0, 1];
  while (below(high) < probability) high *= 2;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (below(middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(X >= x) of the chi-square distribution. */
export function chiSquareAbove(x: number, degrees: number): number {
  if (x <= 0) return 1;
  const [a, half] = [degrees / 2, x / 2];
  const front = Math.exp(-half + a * Math.log(half) - logGamma(a));
  if (half < a + 1) {
    let [sum, term] = [1 / a, 1 / a];
    for (let n = 1; n < 10_000 && Math.abs(term) > Math.abs(sum) * 1e-15; n++) {
      term *= half / (a + n);
      sum += term;
    }
    return 1 - front * sum;
  }
  return front * upperFraction(a, half);
}

/** The fraction of the upper incomplete gamma function, by the modified Lentz method. */
function upperFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let [c, d] = [1 / TINY, 1 / b];
  let value = d;
  for (let index = 1; index < 10_000; index++) {
    const term = -index * (index - a);
    b += 2;
    d = 1 / (term * d + b || TINY);
    c = b + term / c || TINY;
    value *= c * d;
    if (Math.abs(c * d - 1) < 1e-14) break;
  }
  return value;
}
