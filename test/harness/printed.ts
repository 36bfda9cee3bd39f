/** A page on paper: what its button asks for, and what is seen of it then. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const WHITE = 'rgb(255, 255, 255)';
/** As wide as the paper. */
const SHEET = { width: 1047, height: 740 };

/** Call it before the page is opened: a dialog of the browser would wait for somebody. */
export const catchPrint = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });

/**
 * Printed by its own button beside CSV: without chrome, `filters` in words, nothing of it behind a scroll bar or beyond the sheet, ink on white whatever
 * the screen is. `whole` is what must be there. With SHOTS set to a folder a picture of it is left there as `name`.
 */
export async function expectPrinted(
  page: Page,
  { name, filters, whole }: { name: string; filters: readonly string[]; whole: string },
): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator(whole).first().waitFor();
  const csv = page.getByRole('button', { name: 'CSV' });
  await csv.locator('xpath=following-sibling::button[normalize-space()="Print"]').click();
  await expect.poll(() => page.locator('body').getAttribute('data-printed')).toBe('yes');

  const before = page.viewportSize()!;
  await page.setViewportSize(SHEET);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/print-${name}.png`, fullPage: true });
  expect(await page.locator('header.header').isVisible()).toBe(false);
  for (const button of await page.locator('.tool-button').all()) expect(await button.isVisible()).toBe(false);
  const chips = page.locator('.chip:visible');
  expect((await chips.allTextContents()).map((text) => text.trim())).toEqual(filters);
  expect(await lookOf(page, whole)).toEqual({ cut: [], beyond: [], paper: [WHITE, WHITE], ink: 'rgb(13, 35, 48)' });
  // Charts are drawn anew, in the colours of paper.
  for (const text of await page.locator('.chart svg text').all())
    await expect.poll(() => text.evaluate((one) => getComputedStyle(one).fill)).toBe('rgb(81, 103, 115)');
  await page.setViewportSize(before);
}

/** `cut`: what is larger than the box it is in; `beyond`: what reaches over the edge of the sheet. */
const lookOf = (page: Page, whole: string) =>
  page
    .locator(whole)
    .first()
    .evaluate((of) => {
      const nameOf = (one: Element) => `${one.localName}.${one.getAttribute('class') ?? ''}`;
      const all = [...document.querySelectorAll<HTMLElement>('.page *')].filter(
        (one) => one.checkVisibility() && !one.closest('.sr-only') && (!(one instanceof SVGElement) || one.localName === 'svg'),
      );
      const cut = all.filter(
        (one) =>
          (getComputedStyle(one).overflowY !== 'visible' && one.scrollHeight > one.clientHeight + 1) ||
          (getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1),
      );
      const beyond = all.filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
      return {
        ...{ cut: cut.map(nameOf), beyond: beyond.map(nameOf) },
        paper: [document.documentElement, document.body].map((one) => getComputedStyle(one).backgroundColor),
        ink: getComputedStyle(of).color,
      };
    });
