import type { Cap, DuplicateRuleView, FilterRule, HoursRule, PauseDatesRule } from '#contract/tier.ts';
import type { RecordRow } from '../../api/record.ts';
import { FormSection } from '../FormSection.tsx';
import { CapsEditor, type CapText, toCaps, toCapTexts } from './CapsEditor.tsx';
import { DuplicateEditor } from './DuplicateEditor.tsx';
import { FilterEditor } from './FilterEditor.tsx';
import { type FieldRow, filterFields, unfinished } from './filter-words.ts';
import { HoursEditor } from './HoursEditor.tsx';
import { ListsEditor } from './ListsEditor.tsx';
import { PauseEditor } from './PauseEditor.tsx';
import { rulesHeld } from './rules-held.ts';

/** What publisher tiers and buyer tiers have in common. */
export interface RuleValues {
  filter: FilterRule | null;
  hours: HoursRule | null;
  pauseDates: PauseDatesRule | null;
  caps: CapText[];
  duplicate: DuplicateRuleView | null;
  suppressionLists: string[];
}

export const noRules = (): RuleValues => ({ filter: null, hours: null, pauseDates: null, caps: [], duplicate: null, suppressionLists: [] });

export const toRuleValues = (row: RecordRow): RuleValues => ({
  filter: row.filter as FilterRule | null,
  hours: row.hours as HoursRule | null,
  pauseDates: row.pauseDates as PauseDatesRule | null,
  caps: toCapTexts(row.caps as Cap[]),
  duplicate: row.duplicate as DuplicateRuleView | null,
  suppressionLists: row.suppressionLists as string[],
});

export const toRuleData = ({ filter, hours, pauseDates, caps, duplicate, suppressionLists }: RuleValues): Record<string, unknown> => ({
  filter,
  hours,
  pauseDates,
  caps: toCaps(caps),
  duplicate,
  suppressionLists,
});

export const checkRules = {
  filter: (filter: FilterRule | null) => unfinished(filter),
  // A limit that was not said is not none, and not zero either.
  caps: (caps: CapText[]) => (caps.some((cap) => cap.limit === '') ? 'Say how much at most, or remove the cap.' : null),
};

interface RuleSectionsProps {
  /** Whose leads: 'this publisher tier posts' or 'this buyer tier takes'. */
  what: string;
  values: RuleValues;
  errors: Record<string, React.ReactNode>;
  set: <Name extends keyof RuleValues>(name: Name, value: RuleValues[Name]) => void;
  fields: readonly FieldRow[];
  timeZone: string;
  /** In a new form: each is a line that says what it holds, until it is opened. */
  isFolded: boolean;
}

export function RuleSections({ what, values, errors, set, fields, timeZone, isFolded }: RuleSectionsProps) {
  const held = rulesHeld(values);
  const fold = (name: keyof RuleValues) => ({ folded: isFolded && held[name], isWrong: Boolean(errors[name]) });
  return (
    <>
      <FormSection title="Filter" says={`Which of the leads that ${what}.`} {...fold('filter')}>
        <FilterEditor
          value={values.filter}
          onChange={(filter) => set('filter', filter)}
          fields={filterFields(fields)}
          error={errors.filter}
        />
      </FormSection>
      <FormSection
        title="Suppression lists"
        says="Leads of people whom one of them holds are passed by; the lead says which list it was."
        {...fold('suppressionLists')}
      >
        <ListsEditor value={values.suppressionLists} onChange={(ids) => set('suppressionLists', ids)} error={errors.suppressionLists} />
      </FormSection>
      <FormSection
        title="Caps"
        says="Exact, however many leads come at once and on however many nodes. What came before in the same span counts."
        {...fold('caps')}
      >
        <CapsEditor value={values.caps} onChange={(caps) => set('caps', caps)} timeZone={timeZone} error={errors.caps} />
      </FormSection>
      <FormSection title="Hours" {...fold('hours')}>
        <HoursEditor value={values.hours} onChange={(hours) => set('hours', hours)} timeZone={timeZone} />
        <Refusal error={errors.hours} />
      </FormSection>
      <FormSection title="Pause dates" {...fold('pauseDates')}>
        <PauseEditor value={values.pauseDates} onChange={(days) => set('pauseDates', days)} timeZone={timeZone} />
        <Refusal error={errors.pauseDates} />
      </FormSection>
      <FormSection title="Duplicates" says="Counted from when this is saved, and anew when the fields are changed." {...fold('duplicate')}>
        <DuplicateEditor value={values.duplicate} onChange={(rule) => set('duplicate', rule)} fields={fields} />
        <Refusal error={errors.duplicate} />
      </FormSection>
    </>
  );
}

/** What the server said of a whole section. */
function Refusal({ error }: { error: React.ReactNode }) {
  if (!error) return null;
  return (
    <p className="bad small" role="alert">
      {error}
    </p>
  );
}
