import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM_ARGUMENTS, findOrInstallChromium } from './chromium.ts';

/** Gives a program of pictures a browser. Without one it says why, and the program exits with 1. */
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
