import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { toast } from '#web/ui/toast.ts';
import { changesOf } from '../api/changes-of.ts';
import { ApiError } from '../api/client.ts';
import { addRecord, editRecord, type RecordRow, type Saved } from '../api/record.ts';
import { capital, failureText, message } from '../message.ts';
import { errorsOf } from '../organization/RecordPage.tsx';
import { ArchivedNote } from './ArchivedNote.tsx';
import { Conflict } from './Conflict.tsx';
import { useRecordsChanged } from './records-changed.ts';
import { useFormDraft } from './use-form-draft.ts';
import './record-form.css';

export type RecordFormState<Values extends object> = ReturnType<typeof useForm<Values>>;

interface RecordFormProps<Values extends object> {
  model: string;
  /** 'buyer'. */
  one: string;
  /** The record as it was read; absent for a new one. */
  row?: RecordRow | undefined;
  /** A new one that begins as another is. */
  isCopy?: boolean;
  /** The form's values of a record. */
  toValues: (row: RecordRow) => Values;
  initial: Values;
  /** What is sent of them. */
  toData: (values: Values) => Record<string, unknown>;
  /** Inputs that are called otherwise than the setting they fill; a refusal of `price` stands at the input that writes it. */
  inputOf?: Partial<Record<string, keyof Values & string>>;
  validate?: NonNullable<Parameters<typeof useForm<Values>>[0]>['validate'];
  onSaved: (row: RecordRow) => void;
  onCancel: () => void;
  children: (form: RecordFormState<Values>) => ReactNode;
}

/** A form of one record: sends what changed, and where somebody else was quicker shows both before anything is lost. */
export function RecordForm<Values extends object>(props: RecordFormProps<Values>) {
  const { model, one, row, isCopy, toValues, initial, toData, inputOf = {}, validate, onSaved, onCancel, children } = props;
  const { draft, keep, drop } = useFormDraft(`${model} ${row?._id ?? ''}`);
  const [base, setBase] = useState(draft?.base ?? row);
  const [theirs, setTheirs] = useState<RecordRow | null>(null);
  const changed = useRecordsChanged();
  const form = useForm<Values>({
    initialValues: { ...(row ? toValues(row) : initial), ...draft?.values },
    ...(validate && { validate }),
    clearInputErrorOnChange: true,
    onValuesChange: (values) => keep(values, base),
  });
  const save = useMutation({
    mutationFn: ({ values, version }: { values: Values; version: number | undefined }) => send(values, version),
    onSuccess: async (saved) => {
      setTheirs(null);
      drop();
      const said = !saved.msg ? 'nothingChanged' : base ? 'moduleSaved' : isCopy ? 'moduleDuplicated' : 'moduleAdded';
      void toast('success', message(said, capital(one)));
      await changed(model);
      onSaved(saved.data);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'record_changed' && error.current) setTheirs(error.current as RecordRow);
      const errors = byInput(errorsOf(error), inputOf);
      form.setErrors(errors);
      focusFirstError(errors);
    },
  });
  async function send(values: Values, version: number | undefined): Promise<Saved> {
    const data = toData(values);
    if (!base) return addRecord(model, data);
    const changed = changesOf(toData(toValues(base)), data);
    return Object.keys(changed).length === 0 ? { msg: '', data: base } : editRecord(model, base._id, changed, version);
  }
  const submit = (values: Values) => void (save.isPending || save.mutate({ values, version: base?.version }));
  const refuse = (errors: Record<string, unknown>) => {
    // What the server said of the last try is over: this one did not reach it.
    save.reset();
    focusFirstError(errors);
  };
  const keepMine = () => {
    save.mutate({ values: form.values, version: theirs?.version });
  };
  const takeTheirs = () => {
    if (!theirs) return;
    form.setValues(toValues(theirs));
    setBase(theirs);
    setTheirs(null);
    drop();
  };
  const startAfresh = () => {
    form.setValues(row ? toValues(row) : initial);
    setBase(row);
    drop();
  };
  const isShared = row?.mayEdit === false;
  const isArchived = row?.status === 'archived';
  const isLocked = isShared || isArchived;
  /** The box with both versions says it already. */
  const isTold = theirs !== null && save.error instanceof ApiError && save.error.code === 'record_changed';
  const unplaced = save.error && Object.keys(errorsOf(save.error)).length === 0;
  return (
    <form noValidate className="form-stack record-form" onSubmit={form.onSubmit(submit, refuse)}>
      {draft && (
        <div className="draft-note" role="status">
          <span>What you had typed here is back{hasSecrets(form.values) ? '; secrets are not kept, type them again' : ''}.</span>
          <Button size="compact-sm" variant="default" onClick={startAfresh}>
            Start afresh
          </Button>
        </div>
      )}
      {theirs && base && (
        <Conflict
          was={toData(toValues(base))}
          theirs={toData(toValues(theirs))}
          yours={toData(form.values)}
          onKeep={keepMine}
          onTake={takeTheirs}
        />
      )}
      {row && isArchived && <ArchivedNote model={model} one={one} row={row} />}
      {isShared && (
        <div className="draft-note" role="note">
          <span>{message('recordShared', `This ${one}`)}</span>
        </div>
      )}
      <fieldset className="form-stack record-form-inputs" disabled={isLocked}>
        {children(form)}
      </fieldset>
      <div className="row record-form-end">
        {!isLocked && (
          <Button type="submit" loading={save.isPending}>
            {row ? 'Save' : `Add ${one}`}
          </Button>
        )}
        <Button
          variant="default"
          onClick={() => {
            startAfresh();
            onCancel();
          }}
        >
          {isLocked ? 'Back' : 'Cancel'}
        </Button>
        {/* Beside the button that was pressed: on a long form the top is out of sight. */}
        {save.error && !isTold && (
          <span className="bad small" role="alert">
            {unplaced ? failureText(save.error, capital(one)) : save.error.message}
          </span>
        )}
      </div>
    </form>
  );
}

const hasSecrets = (values: object): boolean => 'secrets' in values;

/** 'caps.0.limit' belongs to the input 'caps', and 'price.minimum' to the one that writes the price. */
const byInput = (errors: Record<string, string>, inputOf: Partial<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([path, message]) => {
      const [setting = path] = path.split('.');
      return [[path, message] as const, [inputOf[setting] ?? setting, message] as const];
    }),
  );
