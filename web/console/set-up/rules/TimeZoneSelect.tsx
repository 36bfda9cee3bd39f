import { SelectSearch } from '#web/ui/SelectSearch.tsx';

/** The zones of this field first, then all that the browser knows. */
const COMMON = ['UTC', 'America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'Europe/London'];
const zones = [...new Set([...COMMON, ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({
  value: zone,
  label: zone.replaceAll('_', ' '),
}));

export function TimeZoneSelect({ label, value, onChange }: { label: string; value: string; onChange: (zone: string) => void }) {
  const known = zones.some((one) => one.value === value) ? zones : [{ value, label: value }, ...zones];
  return <SelectSearch label={label} options={known} emptyText="" value={value} limit={60} onChange={(zone) => zone && onChange(zone)} />;
}
