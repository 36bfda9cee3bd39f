/** How this machine's keyboard names the keys of the quick view. */
export const quickViewKeys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌥ P' : 'Alt P';
