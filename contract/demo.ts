import { z } from 'zod';

/** GET /api/console/demo: who can sign in to the demo world; empty where there is none. */
export const demoSignIn = z.object({ email: z.string(), password: z.string(), label: z.string() });
export type DemoSignIn = z.infer<typeof demoSignIn>;
export const demoAnswer = z.object({ status: z.literal(true), signIns: z.array(demoSignIn) });
