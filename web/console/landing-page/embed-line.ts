import { LANDING_PAGE_SCRIPT } from '#contract/landing-page-script.ts';

/** The line of script that a landing page holds, from the host of this console. */
export const embedLine = (pageId: string, origin: string = location.origin): string =>
  `<script async src="${origin}${LANDING_PAGE_SCRIPT}" data-page="${pageId}"></script>`;
