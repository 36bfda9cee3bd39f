import { Button, Modal, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SAMPLE_LETTERS, type SampleExpected } from '#contract/answer-sample.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { WholeNumberInput } from '#web/ui/inputs/DigitsInput.tsx';
import { OUTCOME_WORD } from './reading-words.ts';
import { type SampleDraft, toExpected, toExpectedDraft } from './sample-draft.ts';
import { TrialText } from './TrialText.tsx';

interface SampleDialogProps {
  title: string;
  /** Said above the form. */
  says: ReactNode;
  initial: SampleDraft;
  /** What the endpoint reads in the answer now, where that is known. */
  read?: SampleExpected | null;
  /** The answer is shown and not changed: it is kept as it came. */
  isAnswerFixed?: boolean;
  isPending: boolean;
  error: Error | null;
  onSave: (draft: SampleDraft) => void;
  onClose: () => void;
}

const OUTCOMES = ['accepted', 'rejected', 'duplicate', 'pending', 'error'].map((value) => ({ value, label: OUTCOME_WORD[value]! }));

/** A kept answer of a buyer, and what must be read in it. */
export function SampleDialog(props: SampleDialogProps) {
  const { title, says, initial, read, isAnswerFixed = false, isPending, error, onSave, onClose } = props;
  const [draft, setDraft] = useState(initial);
  const [isTried, setTried] = useState(false);
  const set = (change: Partial<SampleDraft>) => setDraft({ ...draft, ...change });
  const isUnnamed = draft.name.trim() === '';
  const isCodeWrong = draft.statusCode !== '' && (draft.statusCode < 100 || draft.statusCode > 599);
  const save = () => {
    setTried(true);
    if (!isUnnamed && !isCodeWrong && !isPending) onSave(draft);
  };
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      {/* Not a form: it stands inside the one of the tier, which its Enter would save. */}
      <div className="form-stack sample-dialog">
        <p className="muted small">{says}</p>
        <TextInput
          label="Name"
          maxLength={120}
          value={draft.name}
          error={isTried && isUnnamed && 'Name it by what it shows.'}
          onChange={(event) => set({ name: event.currentTarget.value })}
          data-autofocus
        />
        <fieldset className="sample-expected">
          <legend>Must be read as</legend>
          <NativeSelect
            label="Outcome"
            data={OUTCOMES}
            value={draft.outcome}
            onChange={(event) => set({ outcome: event.currentTarget.value })}
          />
          <AmountInput label="Price" placeholder="any" value={draft.price} onChange={(price) => set({ price })} />
          <TextInput
            label="Reason"
            placeholder="any"
            maxLength={300}
            value={draft.reason}
            onChange={(event) => set({ reason: event.currentTarget.value })}
          />
          <TextInput
            label="Redirect"
            placeholder="any"
            maxLength={2000}
            spellCheck={false}
            value={draft.redirectUrl}
            onChange={(event) => set({ redirectUrl: event.currentTarget.value })}
          />
        </fieldset>
        {read && !isSame(toExpected(draft), read) && (
          <div>
            <Button size="xs" variant="default" onClick={() => set(toExpectedDraft(read))}>
              Take what is read now
            </Button>
          </div>
        )}
        {isAnswerFixed ? (
          <TrialText label="The answer" text={`HTTP ${draft.statusCode}\n${draft.headerText}\n\n${draft.body || '(empty)'}`} />
        ) : (
          <>
            <Textarea
              label="Answer of the buyer"
              autosize
              minRows={3}
              maxRows={10}
              spellCheck={false}
              maxLength={SAMPLE_LETTERS}
              value={draft.body}
              onChange={(event) => set({ body: event.currentTarget.value })}
            />
            <div className="sample-answer">
              <Textarea
                label="Headers of the answer"
                description="One a line."
                autosize
                minRows={1}
                maxRows={6}
                spellCheck={false}
                maxLength={20_000}
                value={draft.headerText}
                onChange={(event) => set({ headerText: event.currentTarget.value })}
              />
              <WholeNumberInput
                label="HTTP code"
                digits={3}
                value={draft.statusCode}
                onChange={(statusCode) => set({ statusCode })}
                error={isCodeWrong ? '100 to 599' : null}
              />
            </div>
          </>
        )}
        <div className="row">
          <Button loading={isPending} onClick={save}>
            Keep the sample
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {error && (
            <span className="bad small" role="alert">
              {error.message}
            </span>
          )}
        </div>
      </div>
    </Modal>
  );
}

const isSame = (one: SampleExpected, other: SampleExpected): boolean =>
  (['outcome', 'price', 'reason', 'redirectUrl'] as const).every((part) => one[part] === other[part]);
