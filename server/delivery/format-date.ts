/** Date tokens for buyers: MM/DD/YYYY, D-M-YY, YYYY-MM-DD[T]HH:mm:ss and the like. */
import { Temporal } from 'temporal-polyfill';

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const token = /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|HH|H|hh|h|mm|m|ss|s|A/g;
const dateOnly = /^(\d{4})-(\d{2})-(\d{2})$/;

interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** `text` is 'YYYY-MM-DD' (no zone plays a part), an ISO instant, or milliseconds since the epoch. Undefined when it is none of these. */
export function formatDate(text: string, pattern: string, timeZone: string): string | undefined {
  const parts = readDate(text, timeZone);
  return parts && pattern.replace(token, (word, quoted: string | undefined) => quoted ?? dateWord(word, parts));
}

function readDate(text: string, timeZone: string): Parts | undefined {
  const day = dateOnly.exec(text);
  try {
    if (day) return withClock(Temporal.PlainDate.from(text).toPlainDateTime());
    const instant = /^\d{10,16}$/.test(text) ? Temporal.Instant.fromEpochMilliseconds(Number(text)) : Temporal.Instant.from(text);
    return withClock(instant.toZonedDateTimeISO(timeZone));
  } catch {
    return undefined;
  }
}

function withClock({ year, month, day, hour, minute, second }: Parts): Parts {
  return { year, month, day, hour, minute, second };
}

function dateWord(word: string, parts: Parts): string {
  switch (word) {
    case 'YYYY':
      return pad(parts.year, 4);
    case 'YY':
      return pad(parts.year % 100, 2);
    case 'MMMM':
      return months[parts.month - 1]!;
    case 'MMM':
      return months[parts.month - 1]!.slice(0, 3);
    case 'A':
      return parts.hour < 12 ? 'AM' : 'PM';
    default:
      return pad(numberOf(word, parts), word.length);
  }
}

function numberOf(word: string, parts: Parts): number {
  switch (word[0]) {
    case 'M':
      return parts.month;
    case 'D':
      return parts.day;
    case 'H':
      return parts.hour;
    case 'h':
      return parts.hour % 12 || 12;
    case 'm':
      return parts.minute;
    default:
      return parts.second;
  }
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
