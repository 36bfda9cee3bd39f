/** The two calls of the help host (console §7), as forms. */
import { HELP } from '#contract/console-constants.ts';
import type { MoreDataAnswer, TooltipAnswer } from '#contract/help.ts';

// Known only while the script is being read.
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : null;
const HOST = script?.src ? new URL(script.src).origin : location.origin;

/** A page may name a project of its own; otherwise the one that is embedded here. */
const projectIdOf = (given?: string): string => given || script?.dataset.projectId || HELP.projectId;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** After the pause at the least; undefined where the host cannot be reached or has nothing. */
async function ask<Answer extends { status: boolean }>(path: string, fields: Record<string, string>): Promise<Answer | undefined> {
  const [answer] = await Promise.all([send<Answer>(path, fields), wait(HELP.pauseMs)]);
  return answer?.status === true ? answer : undefined;
}

async function send<Answer>(path: string, fields: Record<string, string>): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${HOST}/${path}`, { method: 'POST', body: new URLSearchParams(fields), credentials: 'omit' });
    return response.ok ? ((await response.json()) as Answer) : undefined;
  } catch {
    return undefined;
  }
}

export const askTooltip = (id: string) =>
  ask<TooltipAnswer>(`help/sdk/tooltip/${encodeURIComponent(id.toWellFormed())}`, { projectId: projectIdOf() });

/** Console §5: the tag string is sent without its first space. */
export const askMore = (tagString: string, projectId?: string) =>
  ask<MoreDataAnswer>('help/sdk/more-data', { tagString: tagString.replace(' ', ''), projectId: projectIdOf(projectId) });
