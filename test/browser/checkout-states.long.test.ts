import { checkoutViews } from '@cobro/checkout/samples/checkout-views.ts';
import type { CheckoutView } from '@cobro/checkout/checkout-view.ts';
import { type Language, languages } from '@cobro/html/language.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inFull } from '@cobro/testing/in-full.ts';
import { browserForTests, describeInBrowser } from './browser-tests.ts';
import { accessibilityFaults, scrollsSideways, whatIsNew } from './check-accessibility.ts';
import { looks, type OpenPage, openPage, widths } from './open-page.ts';
import { type ServedViews, serveViews } from './serve-views.ts';

const states = Object.keys(checkoutViews('es'));
const viewOf = (state: string, language: Language) => checkoutViews(language)[state] as CheckoutView;

/** In the short form each language has one look: a light phone, a dark desk. */
function looksOf(language: Language) {
  if (inFull) return looks;
  return languages.indexOf(language) === 0 ? looks.slice(0, 1) : looks.slice(-1);
}

/** In the short form each state is checked in one language; the languages take turns. */
function languagesOf(state: string): readonly Language[] {
  if (inFull) return languages;
  return languages.filter((_, i) => i === states.indexOf(state) % languages.length);
}

describeInBrowser('every page of the checkout', () => {
  const browser = browserForTests();
  let served: ServedViews;
  let opened: OpenPage;
  const worthALook = whatIsNew();
  beforeAll(async () => {
    served = await serveViews(viewOf('form', 'es'));
    opened = await openPage(browser());
  });
  afterAll(async () => {
    await opened.close();
    await served.close();
  });

  async function show(state: string, language: Language): Promise<void> {
    // A page that waits for its outcome would navigate by itself once another one is served.
    await opened.page.goto('about:blank');
    served.view = viewOf(state, language);
    await opened.page.goto(`${served.url}/checkout/${served.view.id}`);
  }

  test.each(states)(
    '%s: axe finds nothing, light and dark; nothing is wider than a phone, a small one, or a window at 200 %',
    async (state) => {
      const faults: string[] = [];
      for (const language of languagesOf(state)) {
        await show(state, language);
        if (await worthALook(opened.page)) faults.push(...(await faultsOf(opened.page, language)));
        faults.push(...(await tooWide(opened.page, language)));
      }
      expect(faults).toEqual([]);
    },
  );

  test('none of them shifts, breaks its own policy, or runs what somebody wrote into a name', async () => {
    for (const [turn, width] of Object.values(widths).entries()) {
      await opened.page.setViewportSize({ width, height: 800 });
      // In the short form each state has one width; the widths take turns.
      for (const state of states.filter((_, i) => inFull || i % Object.keys(widths).length === turn)) {
        await show(state, 'es');
        // After two frames nothing moves any more.
        await opened.page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        );
        expect([state, await opened.layoutShift()]).toEqual([state, 0]);
        expect([state, await opened.page.locator('script, img, style, iframe, [onerror], [onfocus]').count()]).toEqual([
          state,
          2,
        ]);
      }
    }
    expect(opened.complaints).toEqual([]);
  });

  test('what looks for faults finds them', async () => {
    const { page, complaints } = await openPage(browser());
    await page.goto(`${served.url}/checkout/${served.view.id}`);
    await page.evaluate(() => {
      document.documentElement.removeAttribute('lang');
      document.body.append(document.createElement('style'));
      document.querySelector('style:last-of-type')?.append('body{color:red}');
      document.body.style.width = '200vw';
    });
    expect(await accessibilityFaults(page)).toContainEqual(expect.stringMatching(/^html-has-lang: /));
    expect(await scrollsSideways(page)).toBe(true);
    expect(complaints).toContainEqual(expect.stringContaining('against the policy: style-src-elem inline'));
    await page.context().close();
  });

  test('the icon of the tab is a picture that the policy allows', async () => {
    await show('form-hostile', 'es');
    const width = await opened.page.evaluate(async () => {
      const icon = new Image();
      icon.src = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '';
      await icon.decode();
      return icon.naturalWidth;
    });
    expect(width).toBeGreaterThan(0);
  });

  test('the switch leads to the other language and keeps the attempt', async () => {
    await show('declined', 'es');
    const address = await opened.page.getByRole('link', { name: 'English' }).getAttribute('href');
    expect(address).toBe(`/checkout/${served.view.id}?attempt=att-1&lang=en`);
  });

  test('a page that says what went wrong starts with it', async () => {
    for (const state of ['errors', 'declined', 'too-many-attempts', 'bank-unavailable', 'in-progress']) {
      await show(state, 'en');
      const focused = await opened.page.evaluate(() => [document.activeElement?.id, document.activeElement?.role]);
      expect([state, ...focused]).toEqual([state, 'notice', 'alert']);
    }
  });

  test('the links of the summary lead to the fields, and each error is announced with its field', async () => {
    await show('errors', 'en');
    const { page } = opened;
    const links = page.getByRole('alert').getByRole('link');
    await links.filter({ hasText: 'security code' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('cvc');
    const field = page.getByLabel('Security code');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const read = await field.evaluate((input) =>
      (input.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent),
    );
    expect(read).toEqual(['3 digits on the back (Amex: 4 on the front)', 'Enter the security code.']);
    expect(await links.count()).toBe(8);
  });
});

async function faultsOf(page: OpenPage['page'], language: Language): Promise<string[]> {
  const faults: string[] = [];
  for (const [width, scheme] of looksOf(language)) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: scheme });
    const found = await accessibilityFaults(page);
    faults.push(...found.map((fault) => `${language} ${scheme} ${width}: ${fault}`));
  }
  return faults;
}

async function tooWide(page: OpenPage['page'], language: Language): Promise<string[]> {
  const faults: string[] = [];
  // A window of 1280 at 200 % has 640 CSS pixels. The second of each pair is the text size alone, in percent.
  const sizes = [
    [320, 100],
    [360, 200],
    [360, 100],
    [640, 100],
    [1280, 100],
    [1280, 200],
  ] as const;
  // In the short form the two sizes with the least room.
  for (const [width, text] of inFull ? sizes : sizes.slice(0, 2)) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((size) => void (document.documentElement.style.fontSize = `${size}%`), text);
    if (await scrollsSideways(page)) faults.push(`${language} scrolls at ${width} with text of ${text} %`);
  }
  return faults;
}
