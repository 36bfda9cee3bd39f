import { formatClock } from '#web/ui/format.ts';
import type { TimeZone } from '#web/ui/zone.ts';

/** An hour of the chart: an instant becomes the zone's own hour, a text such as "13" or "13:00" stays what it is. */
export const hourLabel = (hour: string, zone: TimeZone): string => {
  if (/^\d{4}-\d\d-\d\dT/.test(hour)) return formatClock(hour, zone).slice(0, 5);
  return /^\d{1,2}$/.test(hour) ? `${hour.padStart(2, '0')}:00` : hour;
};
