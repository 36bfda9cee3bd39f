import { Modal, NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MOVES, moveLabel } from '#contract/move.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { formatCount } from '#web/ui/format.ts';
import { toast } from '#web/ui/toast.ts';
import { type MovePlace, moveBins, type SoughtRanges } from '../api/bin.ts';
import { recordsQuery } from '../api/record.ts';
import { failureText } from '../message.ts';
import { useRecordsChanged } from '../set-up/records-changed.ts';
import { CombinationNote, CombinationSelects } from './CombinationSelects.tsx';

const NONE = 'none';

/** The move of every range that the list shows, for one combination. */
export function BulkMoveDialog({ sought, onClose }: { sought: SoughtRanges; onClose: () => void }) {
  const { search, moveForAll } = sought;
  const [place, setPlace] = useState<MovePlace>({ campaignId: null, publisherId: null });
  const [move, setMove] = useState('4');
  const changed = useRecordsChanged();
  const found = useQuery(
    recordsQuery({
      ...{ model: 'binRange', limit: 1, ...(search && { search }) },
      ...(moveForAll !== undefined && { condition: { move: moveForAll } }),
    }),
  );
  const total = found.data?.total;
  const save = useMutation({
    mutationFn: () => moveBins(sought, place, move === NONE ? null : Number(move)),
    onSuccess: async ({ msg }) => {
      void toast('success', msg);
      await changed('binRange');
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Set moves" size="md">
      <form
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <p>
          {search ? (
            <>
              The ranges that the list finds by <strong>{search}</strong>
            </>
          ) : moveForAll === undefined ? (
            'All ranges'
          ) : (
            'The ranges'
          )}
          {moveForAll !== undefined && (moveForAll === null ? ' without a move for all' : ` that are ${moveLabel(moveForAll)} for all`)}
          {total !== undefined && `: ${formatCount(total)}`}.
        </p>
        <CombinationSelects value={place} onChange={setPlace} />
        <CombinationNote {...place} />
        <NativeSelect
          label="Move"
          data={[
            ...MOVES.map((one) => ({ value: String(one.move), label: `${one.move} ${one.label}` })),
            { value: NONE, label: 'Take the move of this combination away' },
          ]}
          value={move}
          onChange={(event) => setMove(event.currentTarget.value)}
        />
        <DialogEnd
          label={`Set for ${total === undefined ? '…' : formatCount(total)} ${total === 1 ? 'range' : 'ranges'}`}
          isPending={save.isPending}
          isBarred={!total}
          onClose={onClose}
        />
        {save.error && (
          <p className="bad small" role="alert">
            {failureText(save.error, 'BIN moves')}
          </p>
        )}
      </form>
    </Modal>
  );
}
