/** Entries of a suppression list, added and removed by a program of the organization. */
import { z } from 'zod';

export const ENTRIES_OF_A_CALL = 10_000;
const entries = z.array(z.string().max(500)).max(ENTRIES_OF_A_CALL).default([]);

export const suppressionParams = z.object({
  list: z.string().max(60).describe('The id of the list, as it stands in the address of its page.'),
});
export const suppressionBody = z
  .strictObject({ add: entries, remove: entries })
  .refine(({ add, remove }) => add.length + remove.length > 0, 'must add or remove something')
  .describe('Values or hashes, as the list holds them. What is removed goes first.');
export const suppressionAnswer = z.object({
  status: z.literal(true),
  added: z.int(),
  known: z.int().describe('Were there before; their time begins anew.'),
  removed: z.int(),
  unknown: z.int().describe('Were to be removed and not there.'),
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .describe('Entries that are none, by their place: add.3. The others were taken.'),
});
