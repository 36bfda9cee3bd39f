import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#web/ui/toast.ts';
import { postJson } from '../api/client.ts';

const CALLS = { breaker: 'close-breaker', rest: 'end-rest' };

/** Closes the breaker of a tier by hand, or ends the rest its buyer asked for; `of` says whose, where several stand together. */
export function TryAgain({ tierId, of, ends = 'breaker' }: { tierId: string; of?: string; ends?: keyof typeof CALLS }) {
  const client = useQueryClient();
  const close = useMutation({
    mutationFn: () => postJson<{ msg: string }>(`/api/console/buyer-tiers/${tierId}/${CALLS[ends]}`, {}),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: () => Promise.all(['records', 'flow', 'overview'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={close.isPending}
      onClick={() => close.mutate()}
      {...(of && { 'aria-label': `Try again now: ${of}` })}
    >
      Try again now
    </Button>
  );
}
