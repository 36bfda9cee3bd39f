import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { PictureInput } from '#web/ui/inputs/PictureInput.tsx';
import { toast } from '#web/ui/toast.ts';
import { postFile, postJson } from '../api/client.ts';
import type { RecordRow } from '../api/record.ts';
import { message } from '../message.ts';
import { useRecordsChanged } from '../set-up/records-changed.ts';
import { CropDialog } from './CropDialog.tsx';

/** Larger ones are cut down in the browser; the server takes 512 KiB. */
const CHOSEN_MAX_BYTES = 20 * 1024 * 1024;

/** The address of the picture that stands now; empty without one. */
export const pictureOf = ({ _id, avatarAt }: RecordRow): string =>
  avatarAt ? `/drawcard/card/${_id}/picture?at=${Date.parse(String(avatarAt))}` : '';

/** The picture of the card: chosen, cut to a square, put up, taken down. It is stored at once, apart from the form. */
export function CardPicture({ row }: { row: RecordRow }) {
  const changed = useRecordsChanged();
  const [chosen, setChosen] = useState<File | null>(null);
  const base = `/api/console/cards/${row._id}/picture`;
  const address = pictureOf(row);
  const told = {
    onError: (error: Error) => void toast('error', error.message),
    onSettled: () => changed('card'),
  };
  const put = useMutation({
    mutationFn: (file: File) => postFile<{ msg: string }>(base, file),
    onSuccess: () => {
      setChosen(null);
      void toast('success', message('moduleSaved', 'Picture'));
    },
    ...told,
  });
  const remove = useMutation({
    mutationFn: async () => {
      const picture = await (await fetch(address)).blob();
      await postJson(`${base}/remove`, {});
      return picture;
    },
    onSuccess: (picture) =>
      void toast('success', message('moduleDeleted', 'Picture'), {
        label: 'Undo',
        run: () => put.mutate(new File([picture], 'picture', { type: picture.type })),
      }),
    ...told,
  });
  if (row.status === 'archived') return null;
  return (
    <section className="card-picture" aria-label="Picture">
      {address ? <img src={address} alt="" width={72} height={72} /> : <span className="muted">No picture yet</span>}
      <PictureInput
        label="Picture"
        maxBytes={CHOSEN_MAX_BYTES}
        loading={put.isPending && chosen === null}
        onChoose={setChosen}
        onRefuse={(problem) => void toast('error', problem)}
      />
      {address && (
        <Button size="xs" variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
          Remove the picture
        </Button>
      )}
      {chosen && <CropDialog file={chosen} isSaving={put.isPending} onCut={(file) => put.mutate(file)} onClose={() => setChosen(null)} />}
    </section>
  );
}
