import type { Language } from '@cobro/html/language.ts';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM_ARGUMENTS, findOrInstallChromium } from './chromium.ts';
import type { PageSettings } from './open-page.ts';

export interface Shot {
  name: string;
  language: Language;
  settings: PageSettings;
}

/** The pictures of each page. */
export const shots: Shot[] = [
  { name: '360-light', language: 'es', settings: { width: 360, scheme: 'light' } },
  { name: '360-dark', language: 'en', settings: { width: 360, scheme: 'dark' } },
  { name: '1280-light', language: 'en', settings: { width: 1280, scheme: 'light' } },
  { name: '1280-dark', language: 'es', settings: { width: 1280, scheme: 'dark' } },
];

/** Runs `work` with a browser. Without one it prints why, and the program exits with 1. */
export async function withBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  const found = await findOrInstallChromium(console.error);
  if ('lacking' in found) {
    console.error(found.lacking);
    process.exitCode = 1;
    return;
  }
  const browser = await chromium.launch({ executablePath: found.program, args: CHROMIUM_ARGUMENTS });
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}
