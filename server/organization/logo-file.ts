import type { PictureType } from '#contract/logo.ts';

/** What a picture is by its own bytes, whatever its sender calls it; undefined for anything else, SVG included, and for a head without a size. */
export const pictureType = (bytes: Buffer): PictureType | undefined => readPicture(bytes)?.type;

/** The same with its size in pixels. */
export function readPicture(bytes: Buffer): ({ type: PictureType } & Size) | undefined {
  const known = FORMATS.find(({ begins }) => begins(bytes));
  const size = known?.size(bytes);
  return known && size && size.width > 0 && size.height > 0 ? { type: known.type, ...size } : undefined;
}

interface Size {
  width: number;
  height: number;
}

interface Format {
  type: PictureType;
  begins: (bytes: Buffer) => boolean;
  /** In pixels; undefined where the head breaks off before it. */
  size: (bytes: Buffer) => Size | undefined;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

const FORMATS: readonly Format[] = [
  {
    type: 'image/png',
    begins: (bytes) => bytes.subarray(0, PNG.length).equals(PNG),
    size: (bytes) => (bytes.length < 33 ? undefined : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  },
  { type: 'image/jpeg', begins: (bytes) => bytes.subarray(0, JPEG.length).equals(JPEG), size: sizeOfJpeg },
  {
    type: 'image/gif',
    begins: (bytes) => ['GIF87a', 'GIF89a'].includes(bytes.toString('latin1', 0, 6)),
    size: (bytes) => (bytes.length < 26 ? undefined : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  },
  {
    type: 'image/bmp',
    begins: (bytes) => bytes.toString('latin1', 0, 2) === 'BM',
    // A height below zero is that of a picture whose first row is the top one.
    size: (bytes) => (bytes.length < 54 ? undefined : { width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) }),
  },
];

/** Its size stands in the first frame, behind segments of any number. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
