/** The state or nation that a lead comes from, as a code of state.ts: all that reports know of where somebody lives. */
import type { VerticalConfig } from './plan.ts';
import { statesOfZip } from './zip-state.ts';

/** As a field for it says, else as a US ZIP code does that lies in one state alone; '' where neither is there. */
export function stateOfLead({ country, fields }: VerticalConfig, values: Readonly<Record<string, string>>): string {
  const firstOf = (wanted: string) => fields.flatMap(({ type, fieldName }) => (type === wanted ? (values[fieldName] ?? []) : []))[0];
  const states = country === 'us' ? statesOfZip((firstOf('zip') ?? '').slice(0, 5)) : [];
  return firstOf('state') ?? (states.length === 1 ? states[0]! : '');
}
