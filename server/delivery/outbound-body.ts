/** Response bodies: one layer of content encoding at most, and never more than the cap once decoded. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

export type DecodedBody = { ok: true; body: Buffer } | { ok: false; why: 'too-large' | 'reset' };

/** Synchronous on purpose: at most `maxBytes` come out, and zlib's threads are shared with password hashing. */
export function decodeBody(body: Buffer, encoding: string | undefined, maxBytes: number): DecodedBody {
  const layer = encoding?.trim().toLowerCase() ?? '';
  if (layer === '' || layer === 'identity' || body.length === 0) return { ok: true, body };
  try {
    return { ok: true, body: inflate(layer, body, maxBytes) };
  } catch (error) {
    return { ok: false, why: isTooLarge(error) ? 'too-large' : 'reset' };
  }
}

function inflate(layer: string, body: Buffer, maxOutputLength: number): Buffer {
  switch (layer) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(body, { maxOutputLength });
    case 'deflate':
      return (body[0]! & 0x0f) === 8 ? inflateSync(body, { maxOutputLength }) : inflateRawSync(body, { maxOutputLength });
    case 'br':
      return brotliDecompressSync(body, { maxOutputLength });
    default:
      throw new Error('outbound_encoding_unknown');
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
