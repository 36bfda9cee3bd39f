import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#web/ui/toast.ts';
import { postJson } from '../api/client.ts';

/** Closes the breaker of a tier by hand; `of` says whose, where several stand together. */
export function TryAgain({ tierId, of }: { tierId: string; of?: string }) {
  const client = useQueryClient();
  const close = useMutation({
    mutationFn: () => postJson<{ msg: string }>(`/api/console/buyer-tiers/${tierId}/close-breaker`, {}),
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
