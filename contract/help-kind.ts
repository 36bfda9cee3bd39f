/** What kinds of help there are; apart from contract/help.ts, whose judges the first load of the console does without. */
export const HELP_KINDS = ['prompt', 'term', 'question', 'article'] as const;
export type HelpKind = (typeof HELP_KINDS)[number];

export const helpKindOf = (raw: unknown): HelpKind | undefined => HELP_KINDS.find((kind) => kind === raw);
