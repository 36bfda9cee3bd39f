/** The constants of the console (console §9) that something goes by; what the engine counts stands there, where nothing of ours may be imported. */

/** Console §4: who does nothing for so long is counted down, signed out, and led to the sign-in. */
export const INACTIVITY = { limitMs: 30 * 60_000, countdownS: 59, toLoginMs: 2000 } as const;
/** Where nobody is signed in the page is loaded anew so often. */
export const SIGNED_OUT_RELOAD_MS = 300_000;
/** The watch for a lost connection begins so long after the start. */
export const OFFLINE_AFTER_MS = 8000;
/** The animation of the start, once it is seen, stays so long: it does not flash. */
export const FRONT_LOADER_MS = 500;
/** The spinner of a vertical switch stays so long after it. */
export const SPINNER_RESET_MS = 2000;
/** How many stand in a list of the best. */
export const DISPLAY_LIMIT = 10;
/** A search waits until its text has rested so long. */
export const SEARCH_DELAY_MS = 300;
/** Of floating numbers: money, shares, factors. */
export const AMOUNT_DIGITS = { integer: 9, fraction: 4 } as const;

/** The in-page help (console §2, §4, §9), in the console and wherever else its script stands. */
export const HELP = {
  /** The help begins so long after the page has loaded. */
  startAfterMs: 2000,
  /** The spinner is seen so long before the content takes its place. */
  pauseMs: 500,
  /** A resized window closes the popover after this. */
  closeAfterResizeMs: 10,
  /** px. */
  popoverWidth: 400,
  /** A click nearer than this to a side of the window, px, is answered beside its trigger. */
  halfWidth: 200,
  /** A click nearer than this to the foot of the window, px, is answered above its trigger. */
  edgeHeight: 89,
  /** Whose content is asked for: one installation has one body of help. */
  projectId: 'sluice',
  scriptPath: '/help/sluice-help.js',
} as const;
