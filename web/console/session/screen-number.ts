import { pictureCount } from './water-pattern.ts';

const storageKey = 'loginScreenNumber';
export const handheldNumber = pictureCount;

/** Console §2: 1 to 7 in turn on a desktop, always 8 on device keys 2 and 3 (tablet and phone). */
export const nextScreenNumber = (last: number, handheld: boolean): number =>
  handheld ? handheldNumber : (last % (handheldNumber - 1)) + 1;

export function turnScreenNumber(): number {
  const handheld = matchMedia('(pointer: coarse), (max-width: 899px)').matches;
  const last = Number(localStorage.getItem(storageKey));
  const next = nextScreenNumber(Number.isInteger(last) && last > 0 ? last : 0, handheld);
  if (!handheld) localStorage.setItem(storageKey, String(next));
  return next;
}
