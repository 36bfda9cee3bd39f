import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { LOGO_MAX_BYTES, LOGO_TYPES, type LogoKind } from '#contract/logo.ts';
import { toast } from '#web/ui/toast.ts';
import { putLogo, removeLogo } from '../api/team.ts';
import { useRefreshSession } from './use-record.ts';

/** A logo on the ground it is made for: seen, put up, taken down. */
export function LogoCard({ kind, title, address }: { kind: LogoKind; title: string; address: string }) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const refresh = useRefreshSession();
  const told = {
    onSuccess: ({ msg }: { msg: string }) => void toast('success', msg),
    onError: (error: Error) => void toast('error', error.message),
    onSettled: refresh,
  };
  const put = useMutation({ mutationFn: (file: File) => putLogo(kind, file), ...told });
  const remove = useMutation({
    // The picture is held for as long as it can be brought back.
    mutationFn: async () => {
      const picture = await (await fetch(address)).blob();
      return { ...(await removeLogo(kind)), picture };
    },
    onSuccess: ({ msg, picture }) =>
      void toast('success', msg, { label: 'Undo', run: () => put.mutate(new File([picture], kind, { type: picture.type })) }),
    onError: told.onError,
    onSettled: refresh,
  });
  const choose = (file: File | undefined) => {
    if (!file) return;
    if (file.size > LOGO_MAX_BYTES) return void toast('error', 'A logo has at most 512 KiB. Choose a smaller file.');
    put.mutate(file);
  };
  return (
    <div className="form-stack">
      <strong id={id}>{title}</strong>
      <div className="logo-ground" data-kind={kind}>
        {address ? <img src={address} alt={title} /> : <span>No logo yet</span>}
      </div>
      <div className="row">
        <input
          ref={input}
          type="file"
          hidden
          aria-labelledby={id}
          accept={LOGO_TYPES.join(',')}
          onChange={(event) => {
            choose(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
        <Button
          size="xs"
          variant="default"
          loading={put.isPending}
          onClick={() => input.current?.click()}
          aria-label={`Choose a file: ${title}`}
        >
          Choose a file
        </Button>
        {address && (
          <Button size="xs" variant="default" loading={remove.isPending} onClick={() => remove.mutate()} aria-label={`Remove: ${title}`}>
            Remove
          </Button>
        )}
      </div>
    </div>
  );
}
