import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '#web/ui/icons.ts';
import { type JsonObject, type Leg, type OutcomeLine, objectAt, outcomesOf, placeText, readPlace, setOutcomes } from './endpoint-draft.ts';

const OUTCOMES = [
  { value: 'accepted', label: 'Accepted' },
  { value: 'rejected', label: 'Declined' },
  { value: 'duplicate', label: 'Duplicate' },
  { value: 'pending', label: 'Pending' },
  { value: 'error', label: 'Error' },
];
const PLACES = [
  { value: 'path', label: 'value at' },
  { value: 'status', label: 'HTTP code' },
  { value: 'header', label: 'header' },
  { value: 'body', label: 'whole body' },
];
const TESTS = [
  { value: 'equal', label: 'is' },
  { value: 'notEqual', label: 'is not' },
  { value: 'contains', label: 'contains' },
  { value: 'matches', label: 'matches (RE2)' },
  { value: 'present', label: 'is there' },
  { value: 'absent', label: 'is missing' },
  { value: 'true', label: 'is yes' },
  { value: 'false', label: 'is no' },
];

/** Rules in order: the first whose condition holds says how the call ended. Rules with several conditions are edited as JSON. */
export function OutcomeRows({ leg, onChange }: { leg: Leg; onChange: (leg: Leg) => void }) {
  const rules = outcomesOf(leg);
  const set = (next: OutcomeLine[]) => onChange(setOutcomes(leg, next));
  const replace = (at: number, rule: OutcomeLine) => set(rules.map((one, index) => (index === at ? rule : one)));
  return (
    <div className="form-stack">
      <ol className="mapping">
        {rules.map((rule, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no name
          <li key={at} className="outcome-row">
            <NativeSelect
              size="xs"
              aria-label={`Outcome of rule ${at + 1}`}
              data={OUTCOMES}
              value={rule.outcome}
              onChange={(event) => replace(at, { ...rule, outcome: event.currentTarget.value })}
            />
            <span className="muted small">when</span>
            {rule.when.length === 1 && placeText(objectAt(rule.when[0]?.at)) !== null ? (
              <Condition
                condition={rule.when[0]!}
                label={`rule ${at + 1}`}
                onChange={(condition) => replace(at, { ...rule, when: [condition] })}
              />
            ) : (
              <span className="muted small outcome-json">{rule.when.length} conditions, edited as JSON</span>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-label={`Remove rule ${at + 1}`}
              onClick={() => set(rules.filter((_, index) => index !== at))}
            >
              <IconX size={15} />
            </ActionIcon>
          </li>
        ))}
      </ol>
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          disabled={rules.length >= 50}
          onClick={() => set([...rules, { outcome: 'rejected', when: [{ at: { path: 'status' }, is: 'equal', value: '' }] }])}
        >
          Add a rule
        </Button>
      </div>
    </div>
  );
}

function Condition({ condition, label, onChange }: { condition: JsonObject; label: string; onChange: (condition: JsonObject) => void }) {
  const [kind = 'path', name = ''] = placeText(objectAt(condition.at))!.split(/:(.*)/s);
  const test = String(condition.is);
  const hasValue = !['present', 'absent', 'true', 'false'].includes(test);
  const valueName = test === 'matches' ? 'pattern' : 'value';
  const setTest = (is: string) => {
    const value = String(condition.value ?? condition.pattern ?? '');
    const next: JsonObject = { at: condition.at!, is };
    if (['present', 'absent', 'true', 'false'].includes(is)) return onChange(next);
    return onChange({ ...next, [is === 'matches' ? 'pattern' : 'value']: value });
  };
  const isKnown = TESTS.some((one) => one.value === test);
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={`Place of ${label}`}
        data={PLACES}
        value={kind}
        onChange={(event) => onChange({ ...condition, at: readPlace(event.currentTarget.value, name) })}
      />
      {(kind === 'path' || kind === 'header') && (
        <TextInput
          size="xs"
          aria-label={`Where ${label} looks`}
          placeholder={kind === 'path' ? 'result.status' : 'x-result'}
          spellCheck={false}
          value={name}
          onChange={(event) => onChange({ ...condition, at: readPlace(kind, event.currentTarget.value) })}
        />
      )}
      <NativeSelect
        size="xs"
        aria-label={`Comparison of ${label}`}
        data={isKnown ? TESTS : [...TESTS, { value: test, label: test }]}
        value={test}
        onChange={(event) => setTest(event.currentTarget.value)}
      />
      {hasValue && (
        <TextInput
          size="xs"
          aria-label={`Value of ${label}`}
          value={String(condition[valueName] ?? '')}
          onChange={(event) => onChange({ ...condition, [valueName]: event.currentTarget.value })}
        />
      )}
    </>
  );
}
