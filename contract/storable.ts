import type { z } from 'zod';

/** PostgreSQL keeps neither a NUL nor half of a character that takes two. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

export const storable = <Text extends z.ZodType<string>>(text: Text) =>
  text.refine(isStorable, 'holds a NUL character, or half of one that takes two');
