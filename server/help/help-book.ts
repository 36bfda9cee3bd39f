/** The help content in memory: its calls are open to everybody and cost no query each. */
import type { Db } from '#server/kit/database.ts';
import { contentOf, type HelpContent } from './find-help.ts';
import { listHelp } from './help.sql.ts';

/** A change made on another node is seen here after this. */
const FRESH_MS = 5000;

export interface HelpBook {
  current(): Promise<HelpContent>;
  /** Something was changed on this node: the next call reads anew. */
  forget(): void;
}

export function openHelpBook(db: Db, now: () => number = Date.now): HelpBook {
  let read: { at: number; content: Promise<HelpContent> } | undefined;
  const readAnew = () => {
    const reading = { at: now(), content: listHelp(db).then(contentOf) };
    // What could not be read is asked for again by the next call.
    reading.content.catch(() => {
      if (read === reading) read = undefined;
    });
    return reading;
  };
  return {
    current: () => {
      if (!read || now() - read.at > FRESH_MS) read = readAnew();
      return read.content;
    },
    forget: () => {
      read = undefined;
    },
  };
}
