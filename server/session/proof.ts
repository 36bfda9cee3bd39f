/** When, and by what, the person of a session was known: kept with the session, and taken along by a hand-over. */
import { z } from 'zod';

const instant = z.string().nullable().catch(null);
const signedInBy = z.enum(['', 'password', 'password+code', 'password+recovery-code']).catch('');
const proof = z.object({ passwordAt: instant, codeAt: instant, by: signedInBy });

export interface Proof {
  /** ISO 8601; null where it was not given, or nobody knows when. */
  passwordAt: string | null;
  codeAt: string | null;
  /** What the sign-in was done by. */
  by: z.infer<typeof signedInBy>;
}

export const NO_PROOF: Proof = { passwordAt: null, codeAt: null, by: '' };

/** Of a session that a version before began, nothing is known. */
export const readProof = (kept: unknown): Proof => proof.catch(NO_PROOF).parse(kept);

/** Of a sign-in that is done now. */
export function proofBy(by: Proof['by'], now = Date.now()): Proof {
  const at = new Date(now).toISOString();
  return { passwordAt: at, codeAt: by === 'password' ? null : at, by };
}
