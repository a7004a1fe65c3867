import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds on the page as it stands, a line each: the rule, what it says, and where. Best practices count too. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Through the debugger's connection, which the page's own policy does not bind.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help} ${node.html.slice(0, 120)}`),
    );
  });
}

/** Whether something is wider than the window. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
