/** In-page help (console §2, §3, §7): what its calls take and tell, and what super admins edit. All of it is plain text; an empty line begins a paragraph. */
import { z } from 'zod';
import { HELP_KINDS, type HelpKind } from './help-kind.ts';

const LONGEST_TAG = 60;
const LONGEST_TAG_STRING = 2000;

const plainText = (most: number) => z.string().trim().min(1, 'is empty').max(most, `has more than ${most} characters`);

/** As tags are compared: "Ping Tree" and "ping-tree" are one. */
export const tagOf = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, '-');

const tag = plainText(LONGEST_TAG).transform(tagOf);
const tags = z
  .array(tag)
  .max(20, 'are more than 20')
  .transform((all) => [...new Set(all)]);

export const helpKey = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{0,79}$/, 'takes small letters, digits, dots and hyphens, 80 at most, the first a letter or digit');

/** What kinds of help there are, each with its own body. */
export const helpBodies = {
  /** Shown in the popover of the trigger with this id. */
  prompt: z.object({ text: plainText(1200) }),
  term: z.object({ words: z.array(plainText(80)).min(1, 'needs a word').max(12, 'are more than 12'), definition: plainText(1200) }),
  question: z.object({ question: plainText(300), answer: plainText(4000) }),
  article: z.object({ title: plainText(300), text: plainText(8000) }),
} as const;
const helpKind = z.enum(HELP_KINDS);
export type HelpBody<Kind extends HelpKind = HelpKind> = z.infer<(typeof helpBodies)[Kind]>;

/** What an entry says, whatever its kind: the key is its own among its kind, the tags are what it is found by. */
export const helpText = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('prompt'), key: helpKey, tags, body: helpBodies.prompt }),
  z.object({ kind: z.literal('term'), key: helpKey, tags, body: helpBodies.term }),
  z.object({ kind: z.literal('question'), key: helpKey, tags, body: helpBodies.question }),
  z.object({ kind: z.literal('article'), key: helpKey, tags, body: helpBodies.article }),
]);
export type HelpText = z.infer<typeof helpText>;

const project = z.string().max(60);

/** POST help/sdk/more-data. The tags stand between commas. */
export const moreDataBody = z.object({
  tagString: z.string().max(LONGEST_TAG_STRING, `has more than ${LONGEST_TAG_STRING} characters`),
  projectId: project,
});
export const moreDataAnswer = z.object({
  status: z.boolean(),
  data: z.object({
    glossaries: z.array(z.object({ _id: z.string(), definition: z.string(), data: z.array(z.object({ word: z.string() })) })),
    /** Questions, and the articles of the knowledge base: their title asks, their text answers. */
    faqs: z.array(z.object({ _id: z.string(), question: z.string(), answer: z.string() })),
  }),
});
export type MoreDataAnswer = z.infer<typeof moreDataAnswer>;

/** POST help/sdk/tooltip/{id}. */
export const tooltipBody = z.object({ projectId: project });
export const tooltipAnswer = z.object({
  status: z.boolean(),
  data: z.object({
    projectId: z.string(),
    promptText: z.string(),
    /** The tags of the prompt under which there are questions, terms, articles. */
    keywordFaq: z.array(z.string()),
    glossaryTerms: z.array(z.string()),
    keywordKb: z.array(z.string()),
  }),
});
export type TooltipAnswer = z.infer<typeof tooltipAnswer>;

/** `origin`: as the product brings it, changed here, or added here. */
const helpEntryView = z.object({
  kind: helpKind,
  key: z.string(),
  tags: z.array(z.string()),
  body: z.record(z.string(), z.unknown()),
  version: z.number(),
  isRemoved: z.boolean(),
  origin: z.enum(['product', 'changed', 'added']),
  changedAt: z.string(),
  changedBy: z.string(),
});
export type HelpEntryView = z.infer<typeof helpEntryView>;
export const helpListAnswer = z.object({ status: z.literal(true), entries: z.array(helpEntryView) });

export const helpNameQuery = z.object({ kind: helpKind, key: helpKey });
export const helpEntryAnswer = z.object({
  status: z.literal(true),
  entry: helpEntryView,
  /** What the product brings now, where somebody has changed the entry. */
  shipped: z.object({ tags: z.array(z.string()), body: z.record(z.string(), z.unknown()) }).nullable(),
  /** Newest first. */
  versions: z.array(
    z.object({
      version: z.number(),
      tags: z.array(z.string()),
      body: z.record(z.string(), z.unknown()),
      isRemoved: z.boolean(),
      changedAt: z.string(),
      changedBy: z.string(),
    }),
  ),
});
export type HelpEntryAnswer = z.infer<typeof helpEntryAnswer>;

/** `version`: the one that was read; 0 adds. */
export const helpSave = z.object({ entry: helpText, version: z.int().min(0) });
export const helpRemove = helpNameQuery.extend({ version: z.int().min(1) });
/** `from`: the earlier version that stands again, or what the product brings. */
export const helpRestore = helpRemove.extend({ from: z.union([z.int().min(1), z.literal('product')]) });
export const helpChanged = z.object({ status: z.literal(true), msg: z.string(), version: z.number() });
