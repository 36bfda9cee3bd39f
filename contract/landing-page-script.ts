/** Where the script of a landing page stands (web/landing-page), for pages of anybody. */
export const LANDING_PAGE_SCRIPT = '/landing/sluice-page.js';
