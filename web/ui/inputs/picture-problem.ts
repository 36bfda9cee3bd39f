import { PICTURE_EXTENSIONS, PICTURE_TYPES } from '#contract/logo.ts';

/** Why a file is not taken as a picture (console §5), or null. Some systems know no kind for a file; then its name decides. */
export function pictureProblem({ name, type, size }: { name: string; type: string; size: number }, maxBytes: number): string | null {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  const isPicture = PICTURE_EXTENSIONS.some((one) => one === extension) && (type === '' || PICTURE_TYPES.some((one) => one === type));
  if (!isPicture) return `A picture is a ${PICTURE_EXTENSIONS.join(', ')} file. Choose another.`;
  return size > maxBytes ? `A picture has at most ${maxBytes / 1024} KiB. Choose a smaller file.` : null;
}
