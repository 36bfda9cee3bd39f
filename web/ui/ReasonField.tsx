import { TextInput, type TextInputProps } from '@mantine/core';

/** Of a reason that has to be given; the server takes no shorter one. */
const SHORTEST = 3;
const LONGEST = 200;

export const isReason = (reason: string): boolean => reason.trim().length >= SHORTEST;

interface ReasonFieldProps extends Pick<TextInputProps, 'label' | 'error' | 'size' | 'onKeyDown' | 'autoFocus'> {
  /** What to write, or where it stands, in front of the warning. */
  says: string;
  value: string;
  onChange: (reason: string) => void;
}

/** Why somebody looks at, hands out or erases what is a person's. It is kept when the person is gone, and so must not name them. */
export function ReasonField({ label = 'Why', says, onChange, ...input }: ReasonFieldProps) {
  return (
    <TextInput
      label={label}
      description={`${says} Do not name the person here: this is kept.`}
      maxLength={LONGEST}
      autoComplete="off"
      data-autofocus
      {...input}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
