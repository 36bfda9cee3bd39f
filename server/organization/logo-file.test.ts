import { describe, expect, it } from 'vitest';
import { pictureType } from './logo-file.ts';

/** One pixel each. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const BMP = Buffer.concat([
  Buffer.from('BM'),
  Buffer.from([58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255, 1, 0, 24, 0]),
  Buffer.alloc(28),
]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xff, 0xd9]);

describe('console §5: jpg, jpeg, gif, png and bmp are pictures', () => {
  it.each([
    ['image/png', PNG],
    ['image/gif', GIF],
    ['image/bmp', BMP],
    ['image/jpeg', JPEG],
  ] as const)('%s by its own bytes', (type, bytes) => expect(pictureType(bytes)).toBe(type));

  it.each([
    ['the first letters of a GIF', Buffer.from('GIF89a0000')],
    ['the first letters of a BMP', Buffer.from('BM and nothing that a picture would have')],
    ['a PNG that breaks off', PNG.subarray(0, 20)],
    ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xd9, 0, 0, 0, 0])],
    ['a PNG of no width', Buffer.concat([PNG.subarray(0, 16), Buffer.alloc(4), PNG.subarray(20)])],
    ['WebP', Buffer.from('RIFF0000WEBPVP8 ........................')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['nothing', Buffer.alloc(0)],
  ])('F8: %s is none', (_name, bytes) => expect(pictureType(bytes)).toBeUndefined());
});
