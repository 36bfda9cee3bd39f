import type { PictureType } from '#contract/logo.ts';

/** What a picture is by its first bytes, whatever its sender calls it; undefined for anything else, SVG included. */
export function pictureType(bytes: Buffer): PictureType | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'image/png';
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  if (['GIF87a', 'GIF89a'].includes(bytes.toString('latin1', 0, 6))) return 'image/gif';
  if (bytes.toString('latin1', 0, 2) === 'BM' && bytes.length > 26) return 'image/bmp';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}
