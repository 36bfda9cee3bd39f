import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { combinationLabel, EVERY_AFFILIATE, EVERY_CAMPAIGN } from '#contract/move.ts';
import { HistoryBar } from '#web/ui/HistoryBar.tsx';
import { IconX } from '#web/ui/icons.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import type { MovePlace } from '../api/bin.ts';
import { addRecord, editRecord, type RecordRow, recordsQuery } from '../api/record.ts';
import { downloadRecords } from '../download-csv.ts';
import { failureText, message } from '../message.ts';
import { useRecordActions } from '../set-up/record-actions.ts';
import { useRecordsChanged } from '../set-up/records-changed.ts';
import { moveOptions } from './BankPage.tsx';
import { CombinationNote, CombinationSelects } from './CombinationSelects.tsx';
import '#web/ui/data-table.css';

const COLUMNS = [
  { field: 'combination', head: 'Combination' },
  { field: 'campaignName', head: 'Campaign' },
  { field: 'publisherName', head: 'Affiliate' },
  { field: 'move', head: 'Move' },
];

/** Console §3: the moves of a range, the most specific combination first; the first that fits a lead decides. */
export function BinMoves({ range }: { range: RecordRow }) {
  const { zone } = useReporting();
  const listing = { model: 'binMove', condition: { binRangeId: range._id }, sort: [{ field: 'combination' }] };
  const moves = useQuery(recordsQuery({ ...listing, limit: 1000 }));
  return (
    <section className="belongings print-alone" aria-labelledby="moves">
      <h2 id="moves">Moves</h2>
      {moves.isPending && <SkeletonLines count={3} height={24} />}
      {moves.isError && <ErrorState error={moves.error} onRetry={() => void moves.refetch()} />}
      {moves.data?.data.length === 0 && <p className="muted">It has no move: leads with its BINs go by a wider range, or are UNSORTED.</p>}
      {moves.data && moves.data.data.length > 0 && (
        <div className="card">
          <HistoryBar
            count={moves.data.total}
            one="move"
            many="moves"
            onSave={() => downloadRecords({ listing, name: `BIN moves of ${range.range}`, columns: COLUMNS, zone })}
            isUpright
          />
          <div className="data-table-box">
            <table className="data-table">
              <thead>
                <tr>
                  {COLUMNS.map(({ field, head }) => (
                    <th key={field} scope="col">
                      {head}
                    </th>
                  ))}
                  <th scope="col" className="no-print">
                    <span className="sr-only">Remove</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {moves.data.data.map((row) => (
                  <MoveLine key={row._id} row={row} />
                ))}
              </tbody>
            </table>
          </div>
        </div>
      )}
      <NewMove rangeId={range._id} />
    </section>
  );
}

function MoveLine({ row }: { row: RecordRow }) {
  const { remove, isPending } = useRecordActions({ model: 'binMove', one: 'move' }, row, `for combination ${row.combination}`);
  const changed = useRecordsChanged();
  const save = useMutation({
    mutationFn: (move: number) => editRecord('binMove', row._id, { move }, row.version),
    onSuccess: () => void toast('success', message('moduleSaved', 'Move')),
    onError: (error) => void toast('error', failureText(error, 'Move')),
    onSettled: () => changed('binMove'),
  });
  const campaign = row.campaignId ? String(row.campaignName) : EVERY_CAMPAIGN;
  const affiliate = row.publisherId ? String(row.publisherName) : EVERY_AFFILIATE;
  return (
    <tr>
      <td title={combinationLabel(Number(row.combination))}>{String(row.combination)}</td>
      <td>{campaign}</td>
      <td>{affiliate}</td>
      <td>
        <NativeSelect
          size="xs"
          aria-label={`Move for ${campaign}, ${affiliate}`}
          data={moveOptions}
          value={String(save.isPending ? save.variables : row.move)}
          disabled={save.isPending}
          onChange={(event) => save.mutate(Number(event.currentTarget.value))}
        />
      </td>
      <td className="num no-print">
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={`Remove the move for ${campaign}, ${affiliate}`}
          loading={isPending}
          onClick={remove}
        >
          <IconX size={15} />
        </ActionIcon>
      </td>
    </tr>
  );
}

function NewMove({ rangeId }: { rangeId: string }) {
  const [place, setPlace] = useState<MovePlace>({ campaignId: null, publisherId: null });
  const [move, setMove] = useState('1');
  const changed = useRecordsChanged();
  const add = useMutation({
    mutationFn: () => addRecord('binMove', { binRangeId: rangeId, move: Number(move), ...place }),
    onSuccess: async () => {
      void toast('success', message('moduleAdded', 'Move'));
      await changed('binMove');
    },
  });
  return (
    <form
      className="card card-pad form-stack new-move no-print"
      aria-label="A further move"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <div className="form-three">
        <CombinationSelects value={place} onChange={setPlace} />
        <NativeSelect label="Move" data={moveOptions} value={move} onChange={(event) => setMove(event.currentTarget.value)} />
      </div>
      <CombinationNote {...place} />
      <div className="row">
        <Button type="submit" size="sm" variant="default" loading={add.isPending}>
          Add the move
        </Button>
        {add.error && (
          <span className="bad small" role="alert">
            {failureText(add.error, 'Move')}
          </span>
        )}
      </div>
    </form>
  );
}
