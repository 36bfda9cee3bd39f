/** What a drop brings. */
export interface Dropped {
  file: File | null;
  problem: string | null;
}

type Brought = Pick<DataTransfer, 'files'> & { items: ArrayLike<Pick<DataTransferItem, 'kind' | 'webkitGetAsEntry'>> };

/** The one file of a drop, or what to do instead; neither where what was dropped is no file at all. */
export function readDropped({ files, items }: Brought): Dropped {
  const isFolder = Array.from(items).some((one) => one.kind === 'file' && one.webkitGetAsEntry()?.isDirectory);
  if (files.length > 1) return { file: null, problem: `One file is taken at a time, and these were ${files.length}. Drop one of them.` };
  if (isFolder) return { file: null, problem: 'One file is taken, and this is a folder. Drop the file out of it.' };
  return { file: files[0] ?? null, problem: null };
}
