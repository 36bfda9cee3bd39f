/**
 * What a sign-in rests on changes, and other sessions end, only for somebody who has just shown to be the person (ASVS 5.0 7.5.1, 7.5.2): each
 * factor that the person has was given within ten minutes, at the sign-in or by `prove.routes.ts` since.
 */
import type { Factor } from '#contract/error.ts';
import type { Config } from '#server/kit/config.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Proof } from './proof.ts';

export const FRESH_MS = 10 * 60_000;
export const PROOF_NEEDED = 'session_proof_needed';

interface Proven {
  proof: Proof;
  /** Whether a second factor was set up. */
  hasSecondFactor: boolean;
}

/** The factors a person has to give where they sign in at this installation. */
export const factorsOf = ({ hasSecondFactor }: Pick<Proven, 'hasSecondFactor'>, { twoFactor }: Pick<Config, 'twoFactor'>): Factor[] =>
  twoFactor && hasSecondFactor ? ['password', 'code'] : ['password'];

/** Throws 403 with the factors that are missing. `given`: those that the call itself brings along, and looks at. */
export function requireFreshProof(
  person: Proven,
  config: Pick<Config, 'twoFactor'>,
  given: readonly Factor[] = [],
  now = Date.now(),
): void {
  const needs = factorsOf(person, config).filter((factor) => !given.includes(factor) && !isFresh(person.proof, factor, now));
  if (needs.length === 0) return;
  const what = needs.map((factor) => (factor === 'password' ? 'your password' : 'a code of your authenticator')).join(' and ');
  throw new HttpError(403, PROOF_NEEDED, `Show that it is you: give ${what} (POST /api/v1/session/prove), then send this again.`, {
    needs,
  });
}

/** Whether a factor was given within ten minutes. */
export function isFresh({ passwordAt, codeAt }: Proof, factor: Factor, now = Date.now()): boolean {
  const at = factor === 'password' ? passwordAt : codeAt;
  return at !== null && now - Date.parse(at) < FRESH_MS;
}
