import { ActionIcon, Checkbox, Input } from '@mantine/core';
import type { ReactNode } from 'react';
import { isHiddenField } from '#contract/lander-check.ts';
import { IconArrowDown, IconArrowUp } from '#web/ui/icons.ts';
import type { FieldRow } from '../set-up/rules/filter-words.ts';

interface LanderFieldsProps {
  all: readonly (FieldRow & { required?: boolean })[];
  /** Names, in the order of the form. */
  chosen: readonly string[];
  error: ReactNode;
  onChange: (names: string[]) => void;
}

/** Which fields of the vertical the form asks for; those that every lead needs are among them. */
export function LanderFields({ all, chosen, error, onChange }: LanderFieldsProps) {
  const byName = new Map(all.map((field) => [field.fieldName, field]));
  // The consumer's address is told by the call, and asked of nobody.
  const rest = all.filter(({ fieldName, type }) => !chosen.includes(fieldName) && !isHiddenField(fieldName) && type !== 'ip');
  const move = (at: number, by: number) => {
    const names = [...chosen];
    const [name] = names.splice(at, 1);
    names.splice(at + by, 0, name!);
    onChange(names);
  };
  return (
    <Input.Wrapper label="Fields of the form" error={error} labelElement="div">
      <ol className="lander-fields" data-path="landerFields">
        {chosen.map((name, at) => (
          <li key={name}>
            <Checkbox
              checked
              label={byName.get(name)?.fieldHumanName ?? `${name} (not there any more)`}
              onChange={() => onChange(chosen.filter((one) => one !== name))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              disabled={at === 0}
              aria-label={`Earlier: ${name}`}
              onClick={() => move(at, -1)}
            >
              <IconArrowUp size={15} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              disabled={at === chosen.length - 1}
              aria-label={`Later: ${name}`}
              onClick={() => move(at, 1)}
            >
              <IconArrowDown size={15} />
            </ActionIcon>
          </li>
        ))}
        {rest.map(({ fieldName, fieldHumanName, required }) => (
          <li key={fieldName}>
            <Checkbox
              checked={false}
              label={`${fieldHumanName}${required ? ' (every lead needs it)' : ''}`}
              onChange={() => onChange([...chosen, fieldName])}
            />
          </li>
        ))}
      </ol>
    </Input.Wrapper>
  );
}
