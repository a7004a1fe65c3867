import { afterAll, beforeAll, describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { say } from '../../dev/stack/in-own-run.ts';
import { CHROMIUM_ARGUMENTS, findOrInstallChromium } from './chromium.ts';

// Jest has to know whether the tests can run before it collects them.
const found = await findOrInstallChromium(say);
if ('lacking' in found) {
  if (process.env['CI'] === 'true') throw new Error(found.lacking);
  say(`Browser tests are skipped. ${found.lacking}`);
}

/** `describe` for tests in a browser: without a browser they are skipped with a sentence, and fail with it if CI=true. */
export const describeInBrowser = 'lacking' in found ? describe.skip : describe;

/** Opens a browser for the tests of this `describe`. */
export function browserForTests(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if ('program' in found)
      browser = await chromium.launch({ executablePath: found.program, args: CHROMIUM_ARGUMENTS });
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error('The browser is open while tests run, not while they are collected.');
    return browser;
  };
}
