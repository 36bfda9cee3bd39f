/** How the help that comes with the product is written: prompt and questions per page, terms per subject, articles. */
import { type HelpText, tagOf } from '#contract/help.ts';

/**
 * The prompt of a page and its questions. A question is known by its number, also where somebody has changed it: new ones are added at the
 * end, and one that is given up leaves its place empty (null). Behind "more info" stands what has the page's key as a tag, or one of `moreTags`.
 */
export const page = (
  key: string,
  prompt: string,
  questions: ([question: string, answer: string] | null)[],
  moreTags: string[] = [],
): HelpText[] => [
  { kind: 'prompt', key, tags: [key, ...moreTags], body: { text: prompt } },
  ...questions.flatMap((one, at): HelpText[] =>
    one
      ? [{ kind: 'question', key: `${key}.${String(at + 1).padStart(2, '0')}`, tags: [key], body: { question: one[0], answer: one[1] } }]
      : [],
  ),
];

/** A term with all its words, on the pages where it is met; known by its first word. Every term is in the `glossary`. */
export const term = (words: string[], pages: string[], definition: string): HelpText => ({
  kind: 'term',
  key: tagOf(words[0]!).replaceAll(/[^a-z0-9.-]/g, ''),
  tags: [...pages, 'glossary'],
  body: { words, definition },
});

/** A longer text of the knowledge base. */
export const article = (key: string, pages: string[], title: string, text: string): HelpText => ({
  kind: 'article',
  key,
  tags: [...pages, 'learn'],
  body: { title, text },
});
