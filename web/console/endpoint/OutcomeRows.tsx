import { ActionIcon, Button, Checkbox, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '#web/ui/icons.ts';
import {
  type JsonObject,
  knowsCase,
  type Leg,
  newCondition,
  type OutcomeLine,
  objectAt,
  operandOf,
  operandText,
  outcomesOf,
  type PlaceKind,
  placeOf,
  setComparison,
  setOutcomes,
  setPlace,
} from './endpoint-draft.ts';
import { RowTools } from './RowTools.tsx';

const OUTCOMES = [
  { value: 'accepted', label: 'Accepted' },
  { value: 'rejected', label: 'Declined' },
  { value: 'duplicate', label: 'Duplicate' },
  { value: 'pending', label: 'Pending' },
  { value: 'error', label: 'Error' },
];
const PLACES: { value: PlaceKind; label: string }[] = [
  { value: 'path', label: 'value at' },
  { value: 'status', label: 'HTTP code' },
  { value: 'header', label: 'header' },
  { value: 'body', label: 'whole body' },
  { value: 'pattern', label: 'text found by (RE2)' },
];
const NAME_HINTS = { path: 'result.status', header: 'x-result', pattern: 'code=(\\d+)' } as const;
const COMPARISONS = [
  { value: 'equal', label: 'is' },
  { value: 'notEqual', label: 'is not' },
  { value: 'in', label: 'is one of' },
  { value: 'contains', label: 'contains' },
  { value: 'matches', label: 'matches (RE2)' },
  { value: 'atLeast', label: 'is at least' },
  { value: 'present', label: 'is there' },
  { value: 'absent', label: 'is missing' },
  { value: 'true', label: 'is yes' },
  { value: 'false', label: 'is no' },
];
const MOST_RULES = 50;
const MOST_CONDITIONS = 20;

/** Rules in order: the first whose conditions all hold says how the call ended. */
export function OutcomeRows({ leg, onChange }: { leg: Leg; onChange: (leg: Leg) => void }) {
  const rules = outcomesOf(leg);
  const set = (next: OutcomeLine[]) => onChange(setOutcomes(leg, next));
  const replace = (at: number, rule: OutcomeLine) => set(rules.map((one, index) => (index === at ? rule : one)));
  return (
    <div className="form-stack">
      <ol className="mapping">
        {rules.map((rule, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no name
          <li key={at} className="outcome-rule">
            <div className="outcome-head">
              <NativeSelect
                size="xs"
                aria-label={`Outcome of rule ${at + 1}`}
                data={OUTCOMES}
                value={rule.outcome}
                onChange={(event) => replace(at, { ...rule, outcome: event.currentTarget.value })}
              />
              <RowTools rows={rules} at={at} label={`rule ${at + 1}`} onChange={set} />
            </div>
            <Conditions conditions={rule.when.map(objectAt)} label={`rule ${at + 1}`} onChange={(when) => replace(at, { ...rule, when })} />
          </li>
        ))}
      </ol>
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          disabled={rules.length >= MOST_RULES}
          onClick={() => set([...rules, { outcome: 'rejected', when: [{ ...newCondition(), at: { path: 'status' } }] }])}
        >
          Add a rule
        </Button>
      </div>
    </div>
  );
}

interface ConditionsProps {
  conditions: JsonObject[];
  label: string;
  onChange: (conditions: JsonObject[]) => void;
}

/** All of them must hold; the last one cannot be taken away. */
function Conditions({ conditions, label, onChange }: ConditionsProps) {
  return (
    <div className="outcome-conditions">
      {conditions.map((condition, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no name
        <div key={at} className="outcome-row">
          <span className="muted small outcome-word">{at === 0 ? 'when' : 'and'}</span>
          <Condition
            condition={condition}
            label={at === 0 ? label : `condition ${at + 1} of ${label}`}
            onChange={(next) => onChange(conditions.map((one, index) => (index === at ? next : one)))}
          />
          {conditions.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-label={`Remove condition ${at + 1} of ${label}`}
              onClick={() => onChange(conditions.filter((_, index) => index !== at))}
            >
              <IconX size={15} />
            </ActionIcon>
          )}
        </div>
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconPlus size={14} aria-hidden />}
        aria-label={`Add a condition to ${label}`}
        disabled={conditions.length >= MOST_CONDITIONS}
        onClick={() => onChange([...conditions, newCondition()])}
      >
        Add a condition
      </Button>
    </div>
  );
}

interface ConditionProps {
  condition: JsonObject;
  label: string;
  onChange: (condition: JsonObject) => void;
}

function Condition({ condition, label, onChange }: ConditionProps) {
  const at = objectAt(condition.at);
  const { kind, name } = placeOf(at);
  const test = String(condition.is);
  const setAt = (next: JsonObject) => onChange({ ...condition, at: next });
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={`Place of ${label}`}
        data={PLACES}
        value={kind}
        onChange={(event) => setAt(setPlace(at, event.currentTarget.value as PlaceKind, name))}
      />
      {kind !== 'status' && kind !== 'body' && (
        <TextInput
          size="xs"
          aria-label={`Where ${label} looks`}
          placeholder={NAME_HINTS[kind]}
          spellCheck={false}
          maxLength={1000}
          value={name}
          onChange={(event) => setAt(setPlace(at, kind, event.currentTarget.value))}
        />
      )}
      <NativeSelect
        size="xs"
        aria-label={`Comparison of ${label}`}
        data={COMPARISONS}
        value={test}
        onChange={(event) => onChange(setComparison(condition, event.currentTarget.value))}
      />
      <Operand condition={condition} label={label} onChange={onChange} />
      {knowsCase(test) && (
        <Checkbox
          size="xs"
          label="Aa"
          title="With upper and lower case"
          aria-label={`Upper and lower case matter in ${label}`}
          checked={condition.caseSensitive === true}
          onChange={(event) => {
            const { caseSensitive: _, ...rest } = condition;
            onChange(event.currentTarget.checked ? { ...rest, caseSensitive: true } : rest);
          }}
        />
      )}
    </>
  );
}

function Operand({ condition, label, onChange }: ConditionProps) {
  const test = String(condition.is);
  const operand = operandOf(test);
  if (operand === null) return null;
  const texts = operandText(condition);
  if (operand === 'values')
    return (
      <TagsInput
        size="xs"
        aria-label={`Values of ${label}`}
        placeholder={texts.length === 0 ? 'Enter after each' : undefined}
        maxTags={100}
        value={texts}
        onChange={(values) => onChange(setComparison(condition, test, values))}
      />
    );
  return (
    <TextInput
      size="xs"
      aria-label={`Value of ${label}`}
      inputMode={test === 'atLeast' ? 'decimal' : undefined}
      maxLength={operand === 'pattern' ? 1000 : 500}
      value={texts[0] ?? ''}
      onChange={(event) => onChange(setComparison(condition, test, [event.currentTarget.value]))}
      onBlur={test === 'atLeast' ? (event) => onChange(setComparison(condition, test, [event.currentTarget.value], true)) : undefined}
    />
  );
}
