import { Modal, NativeSelect, Switch, TextInput } from '@mantine/core';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import type { RecordRow } from '../api/record.ts';
import { checkGiven, checkNumberIfAny } from './check-given.ts';
import { FIELD_TYPES } from './field-types.ts';
import { RecordForm } from './RecordForm.tsx';
import { TextList } from './rules/TextList.tsx';
import { OPTION_LIST } from './rules/value-list.ts';
import { UniqueInput } from './UniqueInput.tsx';

const CLASSES = [
  { value: 'P0', label: 'P0, public' },
  { value: 'P1', label: 'P1, business' },
  { value: 'P2', label: 'P2, personal' },
  { value: 'P3', label: 'P3, sensitive' },
];
/** What the class of the chosen field does, said where it is chosen. */
const CLASS_MEANS: Record<string, string> = {
  P0: 'Anybody may know it, such as the name of a site. Shown in full.',
  P1: 'About the request, not the person: state, amount, loan purpose. Shown in full.',
  P2: 'Tells who the person is: name, e-mail, phone, address. Masked on screen, sealed in storage.',
  P3: 'Does harm in wrong hands: social security or account number. At most its last four signs are shown.',
};
/** What a type does beyond checking, said where it is chosen. */
const TYPE_MEANS: Record<string, string> = {
  routing: 'Rules know the move of the bank it names as bank_move.',
  bin: 'Of a whole card number only the first eight digits are kept. Rules know its move as bin_move.',
};
const LENGTHS = ['string', 'email', 'url', 'phone', 'zip'];
const RANGES = ['number', 'integer', 'money'];

interface Values {
  fieldName: string;
  fieldHumanName: string;
  type: string;
  required: boolean;
  minChar: string;
  maxChar: string;
  min: string;
  max: string;
  pattern: string;
  options: string[];
  privacyClass: string;
  inPing: boolean;
  searchable: boolean;
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const toValues = (row: RecordRow): Values => ({
  fieldName: textOf(row.fieldName),
  fieldHumanName: textOf(row.fieldHumanName),
  type: textOf(row.type),
  required: Boolean(row.required),
  minChar: textOf(row.minChar),
  maxChar: textOf(row.maxChar),
  min: textOf(row.min),
  max: textOf(row.max),
  pattern: textOf(row.pattern),
  options: (row.options as string[] | null) ?? [],
  privacyClass: textOf(row.privacyClass),
  inPing: Boolean(row.inPing),
  searchable: Boolean(row.searchable),
});

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

function toData(values: Values, verticalId: string | null): Record<string, unknown> {
  const { fieldName, fieldHumanName, type, required, privacyClass, inPing, searchable, pattern, options } = values;
  const hasLength = LENGTHS.includes(type);
  const hasRange = RANGES.includes(type);
  return {
    ...{ fieldHumanName, type, required, privacyClass, inPing, searchable },
    minChar: hasLength ? numberOf(values.minChar) : null,
    maxChar: hasLength ? numberOf(values.maxChar) : null,
    min: hasRange ? numberOf(values.min) : null,
    max: hasRange ? numberOf(values.max) : null,
    pattern: pattern === '' ? null : pattern,
    options: type === 'choice' ? options : null,
    ...(verticalId !== null && { fieldName, verticalId }),
  };
}

interface FieldDialogProps {
  verticalId: string;
  row?: RecordRow | undefined;
  like?: RecordRow | undefined;
  suggestedName: string;
  onClose: () => void;
}

/** One field of the vertical's leads. */
export function FieldDialog({ verticalId, row, like, suggestedName, onClose }: FieldDialogProps) {
  const empty: Values = {
    ...{ fieldName: suggestedName, fieldHumanName: '', type: suggestedName === 'email' ? 'email' : 'string', required: false },
    ...{ minChar: '', maxChar: '', min: '', max: '', pattern: '', options: [], privacyClass: 'P2', inPing: false, searchable: false },
  };
  const initial = like ? { ...toValues(like), fieldName: '', fieldHumanName: `${like.fieldHumanName} copy` } : empty;
  return (
    <Modal opened onClose={onClose} title={row ? `Edit the field ${row.fieldHumanName}` : 'Add a field'} size="lg">
      <RecordForm
        model="field"
        one="field"
        row={row}
        isCopy={like !== undefined}
        toValues={toValues}
        initial={initial}
        toData={(values) => toData(values, row ? null : verticalId)}
        validate={{
          fieldHumanName: checkGiven,
          fieldName: checkGiven,
          min: (text, { type }) => (RANGES.includes(type) ? checkNumberIfAny(text) : null),
          max: (text, { type }) => (RANGES.includes(type) ? checkNumberIfAny(text) : null),
        }}
        onSaved={onClose}
        onCancel={onClose}
      >
        {(form) => (
          <>
            <div className="form-pair">
              <TextInput
                {...form.getInputProps('fieldHumanName')}
                label="Label"
                description="What people read."
                maxLength={120}
                data-autofocus
              />
              <UniqueInput
                {...form.getInputProps('fieldName')}
                unique={{ model: 'field', field: 'fieldName', within: { field: 'verticalId', id: verticalId }, id: row?._id }}
                label="Name"
                description="What publishers send it under; it stays."
                maxLength={63}
                readOnly={row !== undefined}
                autoComplete="off"
                spellCheck={false}
              />
            </div>
            <div className="form-pair">
              <NativeSelect {...form.getInputProps('type')} label="Type" data={FIELD_TYPES} description={TYPE_MEANS[form.values.type]} />
              <NativeSelect
                {...form.getInputProps('privacyClass')}
                label="Privacy"
                data={CLASSES}
                description={CLASS_MEANS[form.values.privacyClass]}
              />
            </div>
            {LENGTHS.includes(form.values.type) && (
              <div className="form-pair">
                <DigitsInput {...form.getInputProps('minChar')} label="Characters at least" />
                <DigitsInput {...form.getInputProps('maxChar')} label="Characters at most" />
              </div>
            )}
            {RANGES.includes(form.values.type) && (
              <div className="form-pair">
                <TextInput {...form.getInputProps('min')} label="At least" inputMode="decimal" />
                <TextInput {...form.getInputProps('max')} label="At most" inputMode="decimal" />
              </div>
            )}
            {form.values.type === 'choice' && <TextList {...form.getInputProps('options')} label="Options" limits={OPTION_LIST} />}
            <TextInput
              {...form.getInputProps('pattern')}
              label="Pattern"
              description="A regular expression (RE2) that the whole value must fit; none for any."
              maxLength={500}
              spellCheck={false}
            />
            <Switch
              {...form.getInputProps('required', { type: 'checkbox' })}
              label="Required"
              description="A lead without it is not offered to anybody."
            />
            <Switch
              {...form.getInputProps('inPing', { type: 'checkbox' })}
              label="Told at ping"
              description="Buyers see it before they have bought."
            />
            <Switch
              {...form.getInputProps('searchable', { type: 'checkbox' })}
              label="Searchable"
              description="Leads can be found by its exact value."
            />
          </>
        )}
      </RecordForm>
    </Modal>
  );
}
