/** What may be logged of an error: never its message, since that of a database or a parser may hold values. */
export interface ErrorTrace {
  name: string;
  code?: string;
  /** Where it came from, the nearest first. */
  stack: string;
}

const FRAMES = 8;

export function traceOf(error: unknown): ErrorTrace {
  const { name, code, message, stack } = (typeof error === 'object' && error !== null ? error : {}) as Partial<Error> & { code?: unknown };
  return {
    name: isWord(name) ? name : 'Error',
    ...(isWord(code) && { code }),
    stack: framesOf(String(stack ?? ''), String(message ?? '')),
  };
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,60}$/.test(value);
}

/** Frames only; a message of several lines may look like one, so it is cut away first. */
function framesOf(stack: string, message: string): string {
  const at = message === '' ? -1 : stack.indexOf(message);
  const rest = at < 0 ? stack : stack.slice(at + message.length);
  return rest
    .split('\n')
    .slice(1)
    .filter((line) => /^\s+at .*(?::\d+:\d+|<anonymous>|native)\)?$/.test(line))
    .slice(0, FRAMES)
    .join('\n');
}
