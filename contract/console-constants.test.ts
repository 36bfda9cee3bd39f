import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseMoney } from '#engine/money.ts';
import { TIER_PROCESS_LIMIT } from '#engine/run.ts';
import * as constants from './console-constants.ts';
import { amountText } from './tier.ts';

const ROOT = join(import.meta.dirname, '..');

describe('console §9: business constants', () => {
  it('console §9: are what the specification says', () => {
    expect({ ...constants }).toEqual({
      INACTIVITY: { limitMs: 1_800_000, countdownS: 59, toLoginMs: 2000 },
      SIGNED_OUT_RELOAD_MS: 300_000,
      OFFLINE_AFTER_MS: 8000,
      FRONT_LOADER_MS: 500,
      SPINNER_RESET_MS: 2000,
      DISPLAY_LIMIT: 10,
      SEARCH_DELAY_MS: 300,
      AMOUNT_DIGITS: { integer: 9, fraction: 4 },
      HELP: {
        ...{ startAfterMs: 2000, pauseMs: 500, popoverWidth: 400, edgeHeight: 89, halfWidth: 200, closeAfterResizeMs: 10 },
        ...{ projectId: 'sluice', scriptPath: '/help/sluice-help.js' },
      },
    });
    expect(TIER_PROCESS_LIMIT).toBe(20);
  });

  it('console §9: the calls and the engine take amounts of as many digits as the inputs do', () => {
    const { integer, fraction } = constants.AMOUNT_DIGITS;
    const most = `${'9'.repeat(integer)}.${'9'.repeat(fraction)}`;
    expect([amountText.safeParse(most).success, parseMoney(most)]).toEqual([true, 9_999_999_999_999]);
    for (const more of [`9${most}`, `${most}9`])
      expect([more, amountText.safeParse(more).success, parseMoney(more)]).toEqual([more, false, undefined]);
  });

  it('each of them is gone by', () => {
    const texts = ['server', 'web'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
        .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
    );
    // Imported, and then used.
    const dead = Object.keys(constants).filter((name) => !texts.some((text) => text.split(name).length > 2));
    expect(dead).toEqual([]);
  });
});
