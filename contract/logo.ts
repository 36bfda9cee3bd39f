/** Limits of what an organization uploads and writes about itself. */
export type LogoKind = 'standard' | 'light';
export const LOGO_MAX_BYTES = 512 * 1024;
/** Console §5, and WebP. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/bmp', 'image/webp'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];
export const LEGAL_FOOTER_MAX = 5000;
