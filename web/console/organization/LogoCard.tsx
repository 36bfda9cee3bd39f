import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { LOGO_MAX_BYTES, type LogoKind } from '#contract/logo.ts';
import { PictureInput } from '#web/ui/inputs/PictureInput.tsx';
import { toast } from '#web/ui/toast.ts';
import { putLogo, removeLogo } from '../api/team.ts';
import { message } from '../message.ts';
import { useRefreshSession } from './use-record.ts';

/** A logo on the ground it is made for: seen, put up, taken down. */
export function LogoCard({ kind, title, address }: { kind: LogoKind; title: string; address: string }) {
  const refresh = useRefreshSession();
  const told = {
    onError: (error: Error) => void toast('error', error.message),
    onSettled: refresh,
  };
  const put = useMutation({
    mutationFn: (file: File) => putLogo(kind, file),
    onSuccess: () => void toast('success', message('moduleSaved', 'Logo')),
    ...told,
  });
  const remove = useMutation({
    // The picture is held for as long as it can be brought back.
    mutationFn: async () => {
      const picture = await (await fetch(address)).blob();
      return { ...(await removeLogo(kind)), picture };
    },
    onSuccess: ({ picture }) =>
      void toast('success', message('moduleDeleted', 'Logo'), {
        label: 'Undo',
        run: () => put.mutate(new File([picture], kind, { type: picture.type })),
      }),
    onError: told.onError,
    onSettled: refresh,
  });
  return (
    <div className="form-stack">
      <strong>{title}</strong>
      <div className="logo-ground" data-kind={kind}>
        {address ? <img src={address} alt={title} /> : <span>No logo yet</span>}
      </div>
      <div className="row">
        <PictureInput
          label={title}
          maxBytes={LOGO_MAX_BYTES}
          loading={put.isPending}
          onChoose={(file) => put.mutate(file)}
          onRefuse={(problem) => void toast('error', problem)}
        />
        {address && (
          <Button size="xs" variant="default" loading={remove.isPending} onClick={() => remove.mutate()} aria-label={`Remove: ${title}`}>
            Remove
          </Button>
        )}
      </div>
    </div>
  );
}
