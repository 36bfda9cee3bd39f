/** The headers of a signed call, as docs/signed-webhooks.md tells buyers. */

/** v1=<hex of HMAC-SHA256 over "timestamp.body">, one for each secret that signs now, separated by commas. */
export const SIGNATURE_HEADER = 'x-sluice-signature';
/** When it was signed, in whole seconds since 1970. */
export const TIMESTAMP_HEADER = 'x-sluice-timestamp';
