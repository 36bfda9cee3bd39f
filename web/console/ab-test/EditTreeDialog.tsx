import { Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TreeGroup } from '#contract/tree.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { toast } from '#web/ui/toast.ts';
import { draftVariant } from '../api/ab-test.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';

interface EditTreeDialogProps {
  campaign: { _id: string; name: string };
  variant: string;
  groups: readonly TreeGroup[];
  /** Whether the campaign has a draft, which this one takes the place of. */
  hasDraft: boolean;
  onClose: () => void;
}

/** A variant's tree is changed where all trees are: as the draft of its campaign, from which the variant then takes it back. */
export function EditTreeDialog({ campaign, variant, groups, hasDraft, onClose }: EditTreeDialogProps) {
  const { place } = usePlaceIds();
  const navigate = useNavigate();
  const draft = useMutation({
    mutationFn: () => draftVariant(campaign._id, groups),
    onSuccess: async ({ msg }) => {
      void toast('success', msg);
      await navigate({ href: `/setup/${place.region}/${place.vertical}/flow-control?campaign=${campaign._id}` });
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Change the tree of ${variant}?`} size="md">
      <div className="form-stack test-dialog">
        <p>
          It becomes the draft of {campaign.name} in flow control{hasDraft ? ', in the place of the draft that is there now' : ''}. Change
          it there, then come back and choose the draft for {variant}. Nothing is published.
        </p>
        <DialogEnd
          label="Change it in flow control"
          isPending={draft.isPending}
          error={draft.error}
          onGo={() => draft.mutate()}
          onClose={onClose}
        />
      </div>
    </Modal>
  );
}
