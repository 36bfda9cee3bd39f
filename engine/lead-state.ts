/** The state or nation that a lead comes from, as a code of state.ts: all that reports know of where somebody lives. */
import type { VerticalConfig } from './plan.ts';
import { nationOfPostcode } from './postcode-nation.ts';
import { statesOfZip } from './zip-state.ts';

/** As a field for it says, else as a ZIP code or postcode does that lies in one alone; '' where neither is there. */
export function stateOfLead({ country, fields }: VerticalConfig, values: Readonly<Record<string, string>>): string {
  const firstOf = (wanted: string) => fields.flatMap(({ type, fieldName }) => (type === wanted ? (values[fieldName] ?? []) : []))[0];
  const told = firstOf('state');
  if (told !== undefined) return told;
  const code = firstOf('zip') ?? '';
  if (country === 'uk') return nationOfPostcode(code);
  const states = statesOfZip(code.slice(0, 5));
  return states.length === 1 ? states[0]! : '';
}
