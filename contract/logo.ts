/** Limits of what an organization uploads and writes about itself. */
export type LogoKind = 'standard' | 'light';
export const LOGO_MAX_BYTES = 512 * 1024;
/** Console §5: the pictures that are taken, by the end of their names and by their kinds. */
export const PICTURE_EXTENSIONS = ['jpg', 'jpeg', 'gif', 'png', 'bmp'] as const;
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/bmp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];
export const LEGAL_FOOTER_MAX = 5000;
