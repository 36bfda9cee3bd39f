/** Names of people and organizations: one line of text. A line break could become a header of a mail, a link an advertisement in it,
 * and a change of direction makes one name look like another. */
import { z } from 'zod';

export const isPlainLine = (text: string): boolean =>
  !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u.test(text) && !/:\/\/|www\./i.test(text);

/** One line of text that is not empty. */
export const lineText = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => text.trim() !== '' && isPlainLine(text), 'must be one line of text without a link');

export const personName = lineText(80);
export const organizationName = lineText(200);
