/** What the help calls answer, out of the content as it stands. */

import { HELP } from '#contract/console-constants.ts';
import { type HelpBody, type MoreDataAnswer, type TooltipAnswer, tagOf } from '#contract/help.ts';
import type { HelpRow } from './help.sql.ts';

interface Tagged<Body> {
  key: string;
  tags: readonly string[];
  body: Body;
}

/** What everybody may see, by kind. */
export interface HelpContent {
  prompts: ReadonlyMap<string, Tagged<HelpBody<'prompt'>>>;
  terms: readonly Tagged<HelpBody<'term'>>[];
  questions: readonly Tagged<HelpBody<'question'>>[];
  articles: readonly Tagged<HelpBody<'article'>>[];
}

export function contentOf(rows: readonly HelpRow[]): HelpContent {
  const shown = rows.filter((row) => !row.is_removed);
  const of = <Body>(kind: string) => shown.filter((row) => row.kind === kind) as unknown as Tagged<Body>[];
  return {
    prompts: new Map(of<HelpBody<'prompt'>>('prompt').map((prompt) => [prompt.key, prompt])),
    terms: of<HelpBody<'term'>>('term').sort((one, other) => one.body.words[0]!.localeCompare(other.body.words[0]!, 'en')),
    questions: of('question'),
    articles: of('article'),
  };
}

const MOST_TAGS = 20;

/** The tags of a text with commas, as they are compared; each once. */
export function readTags(tagString: string): string[] {
  const tags = tagString.split(',').map(tagOf).filter(Boolean);
  return [...new Set(tags)].slice(0, MOST_TAGS);
}

const isOf =
  (projectId: string, tags: readonly string[]) =>
  (entry: Tagged<unknown>): boolean =>
    projectId === HELP.projectId && entry.tags.some((tag) => tags.includes(tag));

/** Console §7, more-data. `status` is false where nothing matches. */
export function findByTags(content: HelpContent, projectId: string, tagString: string): MoreDataAnswer {
  const matches = isOf(projectId, readTags(tagString));
  const glossaries = content.terms.filter(matches).map(({ key, body }) => ({
    _id: key,
    definition: body.definition,
    data: body.words.map((word) => ({ word })),
  }));
  const questions = content.questions.filter(matches).map(({ key, body }) => ({ _id: key, ...body }));
  const articles = content.articles.filter(matches).map(({ key, body }) => ({ _id: key, question: body.title, answer: body.text }));
  const faqs = [...questions, ...articles];
  return { status: glossaries.length + faqs.length > 0, data: { glossaries, faqs } };
}

/** Console §7, tooltip. `status` is false where no prompt has this key. */
export function findPrompt(content: HelpContent, projectId: string, id: string): TooltipAnswer {
  const prompt = projectId === HELP.projectId ? content.prompts.get(id) : undefined;
  const having = (entries: readonly Tagged<unknown>[]) =>
    (prompt?.tags ?? []).filter((tag) => entries.some((entry) => entry.tags.includes(tag)));
  return {
    status: prompt !== undefined,
    data: {
      projectId,
      promptText: prompt?.body.text ?? '',
      keywordFaq: having(content.questions),
      glossaryTerms: having(content.terms),
      keywordKb: having(content.articles),
    },
  };
}
