import { z } from 'zod';

/** A redirect that was followed: the code that sent the call on, and what was called then. */
export const hopView = z.object({ statusCode: z.int(), method: z.string(), url: z.string() });
