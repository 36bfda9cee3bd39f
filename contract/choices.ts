/** So many records are offered at once where one is chosen; who wants another one types. */
export const CHOICES_AT_ONCE = 20;
