import { ActionIcon, Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import type { FilterLeafRule, FilterRule } from '#contract/tier.ts';
import { IconPlus, IconX } from '#web/ui/icons.ts';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import {
  type FieldRow,
  type Group,
  isLeaf,
  makeGroup,
  newLeaf,
  type Operator,
  openGroup,
  operatorsOf,
  operatorWord,
  valuesOf,
  withOperator,
} from './filter-words.ts';
import { ValueList } from './ValueList.tsx';

interface FilterEditorProps {
  value: FilterRule | null;
  onChange: (value: FilterRule | null) => void;
  fields: readonly FieldRow[];
  error?: React.ReactNode;
}

/** Which leads are wanted: conditions on any field, joined by all, any or none, nested as deep as needed. */
export function FilterEditor({ value, onChange, fields, error }: FilterEditorProps) {
  const first = fields[0];
  return (
    <div className="form-stack" data-path="filter">
      <Switch
        label="Only certain leads"
        checked={value !== null}
        disabled={!first}
        onChange={(event) => onChange(event.currentTarget.checked && first ? { all: [newLeaf(first)] } : null)}
      />
      {value && <GroupEditor rule={isLeaf(value) ? { all: [value] } : value} fields={fields} depth={0} onChange={onChange} />}
      {error && (
        <p className="bad small" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface GroupProps {
  rule: Group;
  fields: readonly FieldRow[];
  depth: number;
  onChange: (rule: FilterRule) => void;
  onRemove?: () => void;
}

const JOINS = [
  { value: 'all', label: 'All of these hold' },
  { value: 'any', label: 'Any of these holds' },
  { value: 'none', label: 'None of these holds' },
];

function GroupEditor({ rule, fields, depth, onChange, onRemove }: GroupProps) {
  const { join, children } = openGroup(rule);
  const set = (next: FilterRule[]) => onChange(makeGroup(join, next));
  const replace = (at: number, child: FilterRule) => set(children.map((one, index) => (index === at ? child : one)));
  const remove = (at: number) => set(children.filter((_, index) => index !== at));
  const first = fields[0]!;
  return (
    // biome-ignore lint/a11y/useSemanticElements: nested fieldsets would draw a frame each
    <div className="filter-group" role="group" aria-label={JOINS.find((one) => one.value === join)!.label}>
      <div className="row">
        <NativeSelect
          size="xs"
          aria-label="How the conditions are joined"
          data={JOINS}
          value={join}
          onChange={(event) => onChange(makeGroup(event.currentTarget.value as 'all' | 'any' | 'none', children))}
        />
        {onRemove && (
          <ActionIcon variant="default" size={30} aria-label="Remove the group" onClick={onRemove}>
            <IconX size={15} />
          </ActionIcon>
        )}
      </div>
      <ul>
        {children.map((child, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no name of its own
          <li key={at}>
            {isLeaf(child) ? (
              <LeafEditor leaf={child} fields={fields} onChange={(next) => replace(at, next)} onRemove={() => remove(at)} />
            ) : (
              <GroupEditor
                rule={child}
                fields={fields}
                depth={depth + 1}
                onChange={(next) => replace(at, next)}
                onRemove={() => remove(at)}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="row">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set([...children, newLeaf(first)])}
        >
          Condition
        </Button>
        {depth < 3 && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => set([...children, { any: [newLeaf(first)] }])}
          >
            Group
          </Button>
        )}
      </div>
    </div>
  );
}

interface LeafProps {
  leaf: FilterLeafRule;
  fields: readonly FieldRow[];
  onChange: (leaf: FilterLeafRule) => void;
  onRemove: () => void;
}

function LeafEditor({ leaf, fields, onChange, onRemove }: LeafProps) {
  const field = fields.find((one) => one.fieldName === leaf.field);
  const known = fields.map((one) => ({ value: one.fieldName, label: one.fieldHumanName }));
  const options = field ? known : [...known, { value: leaf.field, label: `${leaf.field} (gone)` }];
  const operators = operatorsOf(field?.type ?? 'string').map((value) => ({ value, label: operatorWord[value] }));
  const choose = (name: string | null) => {
    const next = fields.find((one) => one.fieldName === name);
    if (!next) return;
    const kept = { ...leaf, field: next.fieldName } as FilterLeafRule;
    onChange(operatorsOf(next.type).includes(leaf.is) ? kept : newLeaf(next));
  };
  return (
    <div className="rule-line">
      <SelectSearch aria-label="Field" options={options} emptyText="No fields found." value={leaf.field} onChange={choose} />
      <NativeSelect
        aria-label="Comparison"
        data={operators}
        value={leaf.is}
        onChange={(event) => onChange(withOperator(leaf, event.currentTarget.value as Operator))}
      />
      <ValueInput leaf={leaf} field={field} onChange={onChange} />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={`Remove the condition on ${field?.fieldHumanName ?? leaf.field}`}
        onClick={onRemove}
      >
        <IconX size={16} />
      </ActionIcon>
    </div>
  );
}

function ValueInput({
  leaf,
  field,
  onChange,
}: {
  leaf: FilterLeafRule;
  field: FieldRow | undefined;
  onChange: (leaf: FilterLeafRule) => void;
}) {
  const values = valuesOf(leaf).map(String);
  const set = (value: unknown) => onChange({ ...leaf, value } as FilterLeafRule);
  const isDate = field?.type === 'date';
  const box = (label: string, at: number, write: (text: string) => void) => (
    <TextInput
      aria-label={label}
      type={isDate ? 'date' : 'text'}
      value={values[at] ?? ''}
      maxLength={1000}
      onChange={(event) => write(event.currentTarget.value)}
    />
  );
  switch (leaf.is) {
    case 'present':
    case 'absent':
      return <span className="rule-narrow" />;
    case 'in':
    case 'notIn':
      return <ValueList values={values.filter((one) => one !== '')} options={field?.options ?? []} labels={field?.labels} onChange={set} />;
    case 'between':
      return (
        <span className="rule-line">
          {box('From', 0, (text) => set([text, values[1] ?? '']))}
          {box('To', 1, (text) => set([values[0] ?? '', text]))}
        </span>
      );
    default:
      if (field?.type === 'boolean')
        return (
          <NativeSelect
            aria-label="Value"
            data={[
              { value: '', label: 'Select...' },
              { value: 'true', label: 'Yes' },
              { value: 'false', label: 'No' },
            ]}
            value={values[0] ?? ''}
            onChange={(event) => set(event.currentTarget.value)}
          />
        );
      if (field?.labels)
        return (
          <NativeSelect
            aria-label="Value"
            data={[{ value: '', label: 'Select...' }, ...Object.entries(field.labels).map(([value, label]) => ({ value, label }))]}
            value={values[0] ?? ''}
            onChange={(event) => set(event.currentTarget.value)}
          />
        );
      return box('Value', 0, set);
  }
}
