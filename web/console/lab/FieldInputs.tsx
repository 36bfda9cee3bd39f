import { NativeSelect, TextInput } from '@mantine/core';
import { ownValue } from '#contract/field-name.ts';
import type { LabField } from '#contract/lab.ts';

interface FieldInputsProps {
  fields: readonly LabField[];
  values: Values;
  onChange: (values: Record<string, string>) => void;
  /** What stands in place of a value that is used but not shown, by field name. */
  hidden?: Values;
  /** What the engine says of a field, by field name. */
  faults?: Values;
}

type Values = Readonly<Record<string, string>>;

/** What was said of the fields that are still as they were when it was said. */
export const faultsOf = (
  errors: readonly { field: string; message: string }[] | undefined,
  sent: Values | undefined,
  values: Values,
): Record<string, string> =>
  Object.fromEntries(
    (errors ?? []).flatMap(({ field, message }) =>
      (ownValue(sent ?? {}, field) ?? '') === (ownValue(values, field) ?? '') ? [[field, message]] : [],
    ),
  );

/** The fields of a vertical, to be filled in by hand. */
export function FieldInputs({ fields, values, onChange, hidden = {}, faults = {} }: FieldInputsProps) {
  return (
    <div className="lab-fields">
      {fields.map((field) => (
        <FieldInput
          key={field.fieldName}
          field={field}
          value={ownValue(values, field.fieldName) ?? ''}
          hidden={ownValue(hidden, field.fieldName)}
          fault={ownValue(faults, field.fieldName)}
          onChange={(value) => onChange({ ...values, [field.fieldName]: value })}
        />
      ))}
    </div>
  );
}

interface FieldInputProps {
  field: LabField;
  value: string;
  hidden: string | undefined;
  fault: string | undefined;
  onChange: (value: string) => void;
}

/** A choice that is not among the options, as an older sample may have it, stays what it is until another is taken. */
function FieldInput({ field, value, hidden, fault, onChange }: FieldInputProps) {
  const { fieldName, fieldHumanName, options, required, isPersonal } = field;
  const shared = { label: fieldHumanName || fieldName, 'data-path': fieldName, error: fault, withAsterisk: required };
  if (options && options.length > 0 && hidden === undefined) {
    const known = value === '' || options.includes(value) ? options : [value, ...options];
    return (
      <NativeSelect
        {...shared}
        data={[{ value: '', label: 'Not given' }, ...known.map((one) => ({ value: one, label: one }))]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      autoComplete="off"
      spellCheck={false}
      maxLength={2000}
      value={value}
      placeholder={hidden ?? ''}
      {...(hidden !== undefined && { description: isPersonal ? 'Used as it came, and not shown' : undefined })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
