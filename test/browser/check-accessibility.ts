import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { inFull } from '@cobro/testing/in-full.ts';

/** What axe finds on the page as it stands, a line each: the rule, what it says, and where. Best practices count too. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await loadAxe(page);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help} ${node.html.slice(0, 120)}`),
    );
  });
}

/**
 * Whether axe should look at a page. In the short form it does where an element's attributes, or its parent, are unlike those of every
 * page before: pages share most of what they are made of, and axe takes seconds a page. The long form looks at all.
 */
export function whatIsNew(): (page: Page) => Promise<boolean> {
  const seen = new Set<string>();
  return async (page) => {
    const before = seen.size;
    for (const kind of await page.evaluate(kindsOfElements)) seen.add(kind);
    return seen.size > before || inFull;
  };
}

function kindsOfElements(): string[] {
  const kindOf = (element: Element | null) => `${element?.tagName}.${element?.getAttribute('class') ?? ''}`;
  return [...document.querySelectorAll('*')].map(
    (element) => `${kindOf(element.parentElement)} ${kindOf(element)} ${element.getAttributeNames().join(',')}`,
  );
}

/**
 * Through the debugger's connection, which the page's own policy does not bind. Chromium then also keeps what it has compiled for the
 * next page, which it would not do for `page.evaluate`.
 */
async function loadAxe(page: Page): Promise<void> {
  const debuggee = await page.context().newCDPSession(page);
  await debuggee.send('Runtime.evaluate', { expression: axe.source });
  await debuggee.detach();
}

/** Whether something is wider than the window. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
