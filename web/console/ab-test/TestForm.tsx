import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AbTestAnswer, AbTestBoard } from '#contract/ab-test.ts';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import { toast } from '#web/ui/toast.ts';
import { type AbTestChanged, addTest, editTest } from '../api/ab-test.ts';
import { FormSection } from '../set-up/FormSection.tsx';
import { EditTreeDialog } from './EditTreeDialog.tsx';
import { evenShares, findFault, newDraft, newVariant, sumOf, type TestDraft, toDraft, toFields, treeOptions } from './test-draft.ts';
import { METRIC } from './test-words.ts';
import { VariantFields } from './VariantFields.tsx';
import '../set-up/record-form.css';

interface TestFormProps {
  campaigns: AbTestBoard['campaigns'];
  /** Absent for a new one. */
  answer?: AbTestAnswer;
  onSaved: (changed: AbTestChanged) => void;
  /** What else can be done with it, beside saving. */
  children?: React.ReactNode;
}

const LETTERS = 'ABCDE';

/** The draft of a test: which campaign, what decides, and two to five variants. */
export function TestForm({ campaigns, answer, onSaved, children }: TestFormProps) {
  const [draft, setDraft] = useState<TestDraft>(() =>
    answer ? toDraft(answer) : newDraft(campaigns.length === 1 ? campaigns[0]!._id : ''),
  );
  const [fault, setFault] = useState<{ path: string; text: string }>();
  const [editing, setEditing] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: () =>
      answer ? editTest(answer.test._id, answer.test.version, toFields(draft)) : addTest(draft.campaignId, toFields(draft)),
    onSuccess: (changed) => {
      void toast('success', changed.msg);
      setDraft(toDraft(changed));
      onSaved(changed);
    },
  });
  const change = (part: Partial<TestDraft>) => {
    setFault(undefined);
    setDraft({ ...draft, ...part });
  };
  const submit = () => {
    const found = findFault(draft);
    setFault(found);
    if (found) focusFirstError({ [found.path]: found.text });
    else save.mutate();
  };
  const input = (path: string) => ({ 'data-path': path, error: fault?.path === path ? fault.text : undefined });
  const edited = answer?.test.variants.find(({ _id }) => _id === editing);
  const campaign = campaigns.find(({ _id }) => _id === draft.campaignId);
  const { variants } = draft;
  const setVariants = (next: typeof variants) => change({ variants: next });
  return (
    <form
      noValidate
      className="form-stack record-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FormSection title="Test">
        <div className="form-three">
          <TextInput
            {...input('name')}
            label="Name"
            maxLength={120}
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          {answer ? (
            <TextInput label="Campaign" value={answer.test.campaignName} readOnly />
          ) : (
            <SelectSearch
              {...input('campaignId')}
              label="Campaign"
              options={campaigns.map(({ _id, name }) => ({ value: _id, label: name }))}
              emptyText="No campaigns in this vertical yet."
              value={draft.campaignId || null}
              onChange={(campaignId) =>
                change({ campaignId: campaignId ?? '', variants: variants.map((one) => ({ ...one, tree: 'live' })) })
              }
            />
          )}
        </div>
        <Textarea
          label="Notes"
          description="What you expect, and why: for who reads it later."
          autosize
          minRows={2}
          maxLength={500}
          value={draft.notes}
          onChange={(event) => change({ notes: event.currentTarget.value })}
        />
      </FormSection>
      <FormSection title="What decides">
        <div className="form-three">
          <NativeSelect
            label="Compared by"
            data={Object.entries(METRIC).map(([value, label]) => ({ value, label }))}
            value={draft.metric}
            onChange={(event) => change({ metric: event.currentTarget.value as TestDraft['metric'] })}
            description="Other prices or margins are best compared by what you keep."
          />
          <AmountInput
            {...input('minimumEffect')}
            label="Smallest effect worth finding"
            unit="%"
            value={draft.minimumEffect}
            onChange={(minimumEffect) => change({ minimumEffect })}
            description="Half of it needs four times the leads."
          />
        </div>
      </FormSection>
      <FormSection
        title="Variants"
        says="The same consumer always goes by the same variant. Caps, breakers, hours and filters belong to the buyer tiers: all variants share them, and what is changed there is changed for all."
      >
        {variants.map((variant, at) => (
          <VariantFields
            key={variant.key}
            at={at}
            variant={variant}
            trees={treeOptions(campaign, answer?.test.variants.find(({ _id }) => _id === variant._id)?.tree?.from)}
            fault={fault}
            onChange={(part) => setVariants(variants.map((one, index) => (index === at ? { ...one, ...part } : one)))}
            onEditTree={answer?.mayPromote && variant.tree === 'kept' ? () => setEditing(variant._id) : undefined}
            onRemove={
              at > 0 && variants.length > 2 ? () => setVariants(evenShares(variants.filter((_, index) => index !== at))) : undefined
            }
          />
        ))}
        <div className="row">
          <Button
            variant="default"
            size="xs"
            disabled={variants.length >= 5}
            onClick={() => setVariants(evenShares([...variants, newVariant(LETTERS[variants.length] ?? '', '0')]))}
          >
            Add a variant
          </Button>
          <Button variant="default" size="xs" onClick={() => setVariants(evenShares(variants))}>
            Split evenly
          </Button>
          <span className={sumOf(variants) === 100 ? 'muted small tabular' : 'bad small tabular'} role="status">
            {sumOf(variants)}% of 100%
          </span>
        </div>
        <p className="muted small">
          A tree is copied when you save: make another draft in flow control, then choose it here. A variant without a tree of its own
          follows the live one.
        </p>
      </FormSection>
      {answer && edited?.tree && (
        <EditTreeDialog
          campaign={{ _id: answer.test.campaignId, name: answer.test.campaignName }}
          variant={edited.name}
          groups={edited.tree.own}
          hasDraft={campaign?.draftAt != null}
          onClose={() => setEditing(null)}
        />
      )}
      <div className="row record-form-end">
        <Button type="submit" loading={save.isPending}>
          {answer ? 'Save' : 'Add A/B test'}
        </Button>
        {children}
        {save.error && (
          <span className="bad small" role="alert">
            {save.error.message}
          </span>
        )}
      </div>
    </form>
  );
}
