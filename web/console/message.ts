import { fillModule, MESSAGES, type MessageKey } from '#contract/message.ts';
import { ApiError } from './api/client.ts';
import { messagesQuery } from './api/message.ts';
import { queryClient } from './query-client.ts';

/** The server's wording once it is here, the built-in one before. */
const catalogue = (): Readonly<Record<string, string>> => queryClient.getQueryData(messagesQuery.queryKey) ?? MESSAGES;

/** The text of a toast; `module` names what it speaks of, e.g. "Buyer". A missing key is logged, and says nothing (console §8). */
export function message(key: string, module = ''): string {
  const messages = catalogue();
  if (Object.hasOwn(messages, key)) return fillModule(messages[key]!, module).trim();
  console.error(`There is no message "${key}".`);
  return '';
}

/** What to say of an action that failed: a refusal says why itself, for anything else there is a message. */
export const refusalText = (error: unknown, key: MessageKey): string => (error instanceof ApiError ? error.message : message(key));

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** What to say of a change that did not come about: a refusal says why itself, a server that failed has nothing to say. */
export const failureText = (error: Error, module: string): string =>
  error instanceof ApiError && error.httpStatus >= 500 ? message('moduleNotSaved', module) : error.message;
