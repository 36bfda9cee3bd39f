/** What an import of a configuration takes; an export keeps to it, so that it can be taken in again. */
export const DOCUMENT_MAX_BYTES = 20 * 1024 * 1024;
