/** What is wrong with a value that somebody sent, in a sentence that says what it may be; for every schema that has no words of its own. */
import { z } from 'zod';

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  tuple: 'a list',
  null: 'empty',
};
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
};
const MOST_NAMED = 8;

/** Sets it for the whole process. */
export function speakPlainly(): void {
  z.config({ customError: sayIssue });
}

/** Undefined where the library's own words are as good. */
function sayIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This is required.' : `This must be ${KINDS[issue.expected] ?? 'something else'}.`;
    case 'too_big':
      return `At most ${amount(issue.maximum, issue.origin)}.`;
    case 'too_small':
      return issue.origin === 'string' && Number(issue.minimum) === 1
        ? 'This is required.'
        : `At least ${amount(issue.minimum, issue.origin)}.`;
    case 'invalid_value':
      return issue.values.length > MOST_NAMED
        ? 'This is none of the values there are.'
        : `This must be ${listed(issue.values.map(String))}.`;
    case 'unrecognized_keys':
      return `There is no ${listed(issue.keys.map((key) => `"${key}"`))} here.`;
    case 'not_multiple_of':
      return `This must be a multiple of ${issue.divisor}.`;
    case 'invalid_union':
      return 'This has none of the shapes it may have.';
    default:
      return undefined;
  }
}

function amount(limit: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  return unit ? `${limit} ${Number(limit) === 1 ? unit[0] : unit[1]}` : String(limit);
}

const listed = (all: readonly string[]): string =>
  all.length < 2 ? (all[0] ?? 'nothing') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
