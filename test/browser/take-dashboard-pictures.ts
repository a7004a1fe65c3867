/**
 * `npm run docs -- screens`: takes pictures of every screen of the dashboard, into .stack/screens, for review. Arguments: beginnings of
 * the screens' names.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { dashboardScreens } from '@cobro/dashboard/samples/dashboard-screens.ts';
import type { Browser } from 'playwright-core';
import { openPage } from './open-page.ts';
import { serveScreens } from './serve-screens.ts';
import { shots, withBrowser } from './with-browser.ts';

const folder = path.join(import.meta.dirname, '../../.stack/screens');

async function take(browser: Browser, beginnings: string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { name, language, settings } of shots) {
    const { page, close } = await openPage(browser, settings);
    for (const [screen, shown] of Object.entries(dashboardScreens(language))) {
      if (beginnings.length > 0 && !beginnings.some((beginning) => screen.startsWith(beginning))) continue;
      const served = await serveScreens(shown);
      await page.goto(`${served.url}${shown.frame.address}`);
      await page.screenshot({ path: path.join(folder, `${screen}-${name}.png`), fullPage: true });
      await served.close();
    }
    await close();
  }
}

await withBrowser((browser) => take(browser, process.argv.slice(2)));
