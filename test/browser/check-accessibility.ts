import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { inFull } from '@cobro/testing/in-full.ts';

/** What axe finds on the page, one line each: the rule, its help, and the element. Best practices count too. */
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
 * Whether axe should check a page. The short form checks it only if an element's attributes or parent are new: pages share most elements,
 * and axe takes seconds per page. The long form checks all pages.
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
 * Uses the debugger's connection, to which the page's policy does not apply. Chromium then also keeps the compiled code for the next
 * page, unlike with `page.evaluate`.
 */
async function loadAxe(page: Page): Promise<void> {
  const debuggee = await page.context().newCDPSession(page);
  await debuggee.send('Runtime.evaluate', { expression: axe.source });
  await debuggee.detach();
}

/** True if something is wider than the window. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
