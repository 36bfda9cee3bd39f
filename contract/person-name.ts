/** Names of people and organizations: one line of text. A line break could become a header of a mail, a link an advertisement in it,
 * and what nobody sees, a change of direction or a letter without a shape, makes one name look like another. */
import { z } from 'zod';

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;
/** Zero-width spaces, soft hyphens, tags, fillers and the like; the blank of Braille is a symbol by its class alone. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Says that a sign is drawn as an emoji, as in a red heart. */
const DRAWN_AS_EMOJI = /(?<=\p{Emoji})\uFE0F/gu;
/**
 * Joiners that change how a word is written, as in Persian and Indic names, or that make several emoji one. Between letters that
 * do not join they are never seen.
 */
const JOINED =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?<![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])[\u200C\u200D](?=[\p{L}\p{Extended_Pictographic}])(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])/gu;

export const isPlainLine = (text: string): boolean =>
  !CONTROL.test(text) && !INVISIBLE.test(text.replace(DRAWN_AS_EMOJI, '').replace(JOINED, '')) && !/:\/\/|www\./i.test(text);

/** At least one letter, digit or sign that is seen. */
export const isSeen = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** One line of text that is not empty. */
export const lineText = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => isSeen(text) && isPlainLine(text), 'must be one line of text without a link or invisible characters');

export const personName = lineText(80);
export const organizationName = lineText(200);
