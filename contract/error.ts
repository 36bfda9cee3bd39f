import { z } from 'zod';

/** What somebody proves to be themselves by. */
export const factor = z.enum(['password', 'code']);
export type Factor = z.infer<typeof factor>;

/** Every refusal of the console API. `code` is `<word>_<problem>`, `msg` says what to do next. */
export const errorView = z.object({
  /** 'danger' where the specification says so (forgot-password, account §7). */
  status: z.union([z.literal(false), z.literal('danger')]),
  code: z.string(),
  msg: z.string(),
  /** Which of the specification's numbered failures it is (account §8). */
  key: z.string().optional(),
  /** Of a record that cannot be removed: what still needs it, in sentences. */
  uses: z.array(z.string()).optional(),
  /** Of a record that somebody changed meanwhile: as it is now. */
  current: z.record(z.string(), z.unknown()).optional(),
  /** Of a call that asks for a fresh proof: the factors that are missing. */
  needs: z.array(factor).optional(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});
export type ErrorView = z.infer<typeof errorView>;
