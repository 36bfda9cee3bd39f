import type { HelpText } from '#contract/help.ts';

export const PRODUCT_HELP: readonly HelpText[] = [];
