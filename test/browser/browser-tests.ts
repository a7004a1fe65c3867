import { afterAll, beforeAll, describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { say } from '../../dev/stack/in-own-run.ts';
import { CHROMIUM_ARGUMENTS, findOrInstallChromium } from './chromium.ts';

// Jest has to know before it collects tests whether they can run.
const found = await findOrInstallChromium(say);
if ('lacking' in found) {
  if (process.env['CI'] === 'true') throw new Error(found.lacking);
  say(`Browser tests are skipped. ${found.lacking}`);
}

/** `describe` for tests in a browser: skipped on a machine without one, after a sentence; failed with it where CI=true. */
export const describeInBrowser = 'lacking' in found ? describe.skip : describe;

/** A browser that is open while the tests of this `describe` run. */
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
