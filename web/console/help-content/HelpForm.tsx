import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { HelpEntryAnswer, HelpText } from '#contract/help.ts';
import { HELP_KINDS, type HelpKind, helpKindOf } from '#contract/help-kind.ts';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { toast } from '#web/ui/toast.ts';
import { ApiError } from '../api/client.ts';
import { removeHelp, restoreHelp, saveHelp } from '../api/help.ts';
import { message } from '../message.ts';
import { draftOf, type HelpDraft, newDraft, readDraft } from './help-draft.ts';
import { kindMeans, kindWords } from './help-words.ts';
import '../set-up/record-form.css';

interface HelpFormProps {
  /** As it is known now; undefined for a new one. */
  read: HelpEntryAnswer | undefined;
  /** The entry is another one now. */
  onAnew: () => void;
}

const headLabels: Record<Exclude<HelpKind, 'prompt'>, string> = {
  term: 'Words, with commas between them',
  question: 'Question',
  article: 'Title',
};
const textLabels: Record<HelpKind, string> = { prompt: 'Text', term: 'Definition', question: 'Answer', article: 'Text' };

export function HelpForm({ read, onAnew }: HelpFormProps) {
  const [entry] = useState(read?.entry);
  const [draft, setDraft] = useState<HelpDraft>(() => (entry ? draftOf(entry) : newDraft));
  const [isAsked, setAsked] = useState(false);
  const navigate = useNavigate();
  const client = useQueryClient();
  const { entry: sent, errors } = readDraft(draft);
  const save = useMutation({
    mutationFn: (text: HelpText) => saveHelp(text, entry?.version ?? 0),
    onSuccess: async ({ msg, version }, { kind, key }) => {
      void toast('success', version === entry?.version ? message('nothingChanged') : msg);
      if (entry) return onAnew();
      await client.invalidateQueries({ queryKey: ['help'] });
      void navigate({ to: `/help-content/${kind}/${key}` as '/' });
    },
  });
  const undo = useMutation({
    mutationFn: (version: number) => restoreHelp({ ...entry!, version }, entry!.version),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: onAnew,
  });
  const remove = useMutation({
    mutationFn: () => removeHelp(entry!),
    onSuccess: ({ msg, version }) => {
      void toast('success', msg, { label: 'Undo', run: () => undo.mutate(version) });
      onAnew();
    },
  });
  const shown: typeof errors = isAsked ? errors : {};
  const put = (part: Partial<HelpDraft>) => {
    save.reset();
    setDraft({ ...draft, ...part });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (sent) save.mutate(sent);
    else focusFirstError(errors);
  };
  const failed = save.error ?? remove.error;
  const isChanged = failed instanceof ApiError && failed.code === 'help_changed';
  return (
    <form className="card card-pad form-stack" onSubmit={submit}>
      {entry?.isRemoved && (
        <div className="draft-note" role="note">
          This entry is removed: nobody sees it. Saving brings it back.
        </div>
      )}
      {!entry && (
        <NativeSelect
          label="Kind"
          description={kindMeans[draft.kind]}
          data={HELP_KINDS.map((value) => ({ value, label: kindWords[value] }))}
          value={draft.kind}
          onChange={(event) => put({ kind: helpKindOf(event.currentTarget.value) ?? draft.kind })}
        />
      )}
      {entry && <p className="muted small help-lead-in">{kindMeans[entry.kind]}</p>}
      <TextInput
        label="Key"
        data-path="key"
        withAsterisk={!entry}
        readOnly={Boolean(entry)}
        description={
          entry ? undefined : 'Small letters, digits, dots and hyphens. It does not change later: pages and upgrades know the entry by it.'
        }
        maxLength={80}
        value={draft.key}
        error={shown.key}
        onChange={(event) => put({ key: event.currentTarget.value })}
      />
      {draft.kind !== 'prompt' && (
        <TextInput
          label={headLabels[draft.kind]}
          data-path="head"
          withAsterisk
          maxLength={1000}
          value={draft.head}
          error={shown.head}
          onChange={(event) => put({ head: event.currentTarget.value })}
        />
      )}
      <Textarea
        label={textLabels[draft.kind]}
        data-path="text"
        withAsterisk
        description="Plain text. An empty line begins a paragraph."
        autosize
        minRows={draft.kind === 'article' ? 14 : 6}
        maxRows={30}
        maxLength={8000}
        value={draft.text}
        error={shown.text}
        onChange={(event) => put({ text: event.currentTarget.value })}
      />
      <TextInput
        label="Tags, with commas between them"
        data-path="tags"
        description="A page finds what has one of the tags of its prompt; its own key is one of them."
        maxLength={1300}
        value={draft.tags}
        error={shown.tags}
        onChange={(event) => put({ tags: event.currentTarget.value })}
      />
      {failed && (
        <div className="form-alert row" role="alert">
          {failed.message}
          {isChanged && (
            <Button size="xs" variant="default" onClick={onAnew}>
              Show it as it is now
            </Button>
          )}
        </div>
      )}
      <div className="row">
        <Button type="submit" loading={save.isPending}>
          {entry ? 'Save' : 'Add the entry'}
        </Button>
        {entry && !entry.isRemoved && (
          <Button variant="default" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </Button>
        )}
      </div>
    </form>
  );
}
