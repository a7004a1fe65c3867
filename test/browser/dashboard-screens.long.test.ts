import { dashboardScreens } from '@cobro/dashboard/samples/dashboard-screens.ts';
import type { Screen } from '@cobro/dashboard/samples/payment-screens.ts';
import { names as given } from '@cobro/dashboard/samples/sample-frame.ts';
import { type Language, languages } from '@cobro/html/language.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { browserForTests, describeInBrowser } from './browser-tests.ts';
import { accessibilityFaults, scrollsSideways, whatIsNew } from './check-accessibility.ts';
import { looks, type OpenPage, openPage, widths } from './open-page.ts';
import { type ServedScreens, serveScreens } from './serve-screens.ts';

const samples = new Map(languages.map((language) => [language, dashboardScreens(language)]));
const names = Object.keys(dashboardScreens('es'));
const screenOf = (name: string, language: Language) => samples.get(language)?.[name] as Screen;

/** In the short form each screen is checked in one language; the languages take turns. */
const languagesOf = (i: number) => (inFull ? languages : [languages[i % languages.length] as Language]);

/** In the short form a screen is checked on a light phone or a dark desk, so four screens cover all combinations with the languages. */
const looksOf = (i: number) => (inFull ? looks : Math.floor(i / 2) % 2 === 0 ? looks.slice(0, 1) : looks.slice(-1));

/** One screen of each kind: a list with filters, links to dialogs, an action, a board, forms, a table with forms. */
const BY_KEYBOARD = [
  'home',
  'payments',
  'payment',
  'refund-in-progress',
  'holds',
  'links-new',
  'webhook-change',
  'platform-partners',
];

describeInBrowser('every screen of the dashboard', () => {
  const browser = browserForTests();
  let served: ServedScreens;
  let opened: OpenPage;
  const worthALook = whatIsNew();
  beforeAll(async () => {
    served = await serveScreens(screenOf('payments', 'es'));
    opened = await openPage(browser());
  });
  afterAll(async () => {
    await opened.close();
    await served.close();
  });

  async function show(name: string, language: Language): Promise<void> {
    served.screen = screenOf(name, language);
    await opened.page.goto(`${served.url}${served.screen.frame.address}`);
  }

  test.each(names)(
    '%s: axe finds nothing, nothing is too wide or shifts, and what was written runs nowhere',
    async (name) => {
      const faults: string[] = [];
      const turn = names.indexOf(name);
      for (const language of languagesOf(turn)) {
        await opened.page.setViewportSize({ width: widths.phone, height: 800 });
        await show(name, language);
        const html = await opened.page.content();
        const isNew = await worthALook(opened.page);
        const asked = isNew ? looksOf(turn) : [];
        // At desk width a page without new elements fits, unless it has long words.
        const isWhole = isNew || [given.long, 'alert(1)'].some((text) => html.includes(text));
        for (const width of isWhole ? Object.values(widths) : [widths.phone]) {
          await opened.page.setViewportSize({ width, height: 800 });
          if (await scrollsSideways(opened.page)) faults.push(`${language} scrolls at ${width}`);
          for (const [, scheme] of asked.filter(([of]) => of === width)) {
            await opened.page.emulateMedia({ colorScheme: scheme });
            const found = await accessibilityFaults(opened.page);
            faults.push(...found.map((fault) => `${language} ${scheme} ${width}: ${fault}`));
          }
        }
      }
      expect(faults).toEqual([]);
      expect(
        await opened.page.locator('script:not([src]), img, style, [style], iframe, [onerror], [onfocus]').count(),
      ).toBe(0);
      expect(opened.complaints).toEqual([]);
    },
  );

  /** Tabs through the page and checks for visible focus. In a group of radio buttons Tab reaches one, and arrows the others. */
  async function reachedByTab(): Promise<{ reached: number; unseen: string[]; missed: string[] }> {
    const { page } = opened;
    await page.evaluate(() => {
      const all = document.querySelectorAll('a[href], button, input, select, textarea, summary');
      const shown = [...all].filter((one) => one.checkVisibility() && !one.matches(':disabled, [type=hidden]'));
      for (const one of shown) one.setAttribute('data-left', '');
    });
    const unseen: string[] = [];
    let reached = 0;
    for (;;) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => {
        const one = document.activeElement as HTMLElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(one);
        const group =
          one instanceof HTMLInputElement && one.type === 'radio' ? document.getElementsByName(one.name) : [one];
        for (const other of group) other.removeAttribute('data-left');
        const isSeen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
        return { isEnd: one === document.body, isSeen, what: one.outerHTML.slice(0, 80) };
      });
      if (focused.isEnd || reached > 300) break;
      reached++;
      if (!focused.isSeen) unseen.push(focused.what);
    }
    const missed = await page
      .locator('[data-left]')
      .evaluateAll((left) => left.map((one) => one.outerHTML.slice(0, 80)));
    return { reached, unseen, missed };
  }

  test.each(BY_KEYBOARD)('%s: the keyboard alone reaches all, with a focus that can be seen', async (name) => {
    await opened.page.setViewportSize({ width: widths.desk, height: 800 });
    await show(name, 'es');
    const { reached, unseen, missed } = await reachedByTab();
    expect({ unseen, missed }).toEqual({ unseen: [], missed: [] });
    expect(reached).toBeGreaterThan(2);
  });

  test('a link to an action opens its dialog; a form that is sent twice goes out once', async () => {
    await opened.page.setViewportSize({ width: widths.desk, height: 800 });
    await show('payment', 'es');
    const { page } = opened;
    await page.getByRole('link', { name: 'Liberar la retención' }).click();
    const dialog = page.getByRole('dialog', { name: 'Liberar la retención' });
    await dialog.getByRole('button', { name: 'Liberar $1,250.50' }).dblclick();
    await page.waitForURL('**/posted');
    expect(served.posts.map(({ path, form }) => [path, form.get('formToken')])).toEqual([
      [`/payments/${screenOf('payment', 'es').frame.address.split('/').at(-1)}/release`, served.screen.frame.formToken],
    ]);
  });

  test('without the script the same link leads to the page with the form', async () => {
    const plain = await openPage(browser(), { withoutScript: true });
    await plain.page.goto(`${served.url}${served.screen.frame.address}`);
    await plain.page.getByRole('link', { name: 'Liberar la retención' }).click();
    expect(new URL(plain.page.url()).pathname).toBe(`${screenOf('payment', 'es').frame.address}/release`);
    await plain.close();
  });

  test('a page that waits for the bank turns by itself once it has answered', async () => {
    await show('payment-waiting', 'es');
    const { page } = opened;
    await page.getByRole('status').filter({ hasText: 'No lo repitas' }).waitFor();
    served.screen = screenOf('payment-refunded', 'es');
    await page.getByText('El pago se devolvió.').waitFor();
    expect(await page.locator('[data-waits]').count()).toBe(0);
  });

  test('a list says what is new and does not move; of two tabs one waits for it, and the other hears of it', async () => {
    await show('payments', 'es');
    const { page } = opened;
    const other = await page.context().newPage();
    await other.goto(`${served.url}/payments`);
    await until('one of the two tabs waits', () => served.waiting() === 1);
    const firstRow = page.getByRole('row').nth(1);
    const before = await firstRow.boundingBox();
    const ids = [1, 2, 3].map(() => crypto.randomUUID());
    served.screen = screenOf('payments-newer', 'es');
    served.tell(ids.map((id) => ({ type: 'payment.confirmed', id })));
    for (const tab of [page, other]) await tab.getByRole('link', { name: '3 pagos nuevos' }).waitFor();
    expect(await firstRow.boundingBox()).toEqual(before);
    await until('one of the two tabs waits again', () => served.waiting() === 1);
    await other.close();
    await until('the one that is left waits', () => served.waiting() === 1);
  });

  test('what changes nothing of the page is not said', async () => {
    await show('payments', 'es');
    await until('the page waits', () => served.waiting() === 1);
    const before = served.looks;
    served.tell([{ type: 'payment.confirmed', id: crypto.randomUUID() }]);
    await until('the page has looked twice', () => served.looks >= before + 2);
    expect(await opened.page.locator('.news a:visible').count()).toBe(0);
  });

  test('terminals are shown as they are now; what is being typed stays, and nothing moves', async () => {
    await show('terminals-idle', 'es');
    const { page } = opened;
    const amount = page.getByLabel('Importe en pesos').first();
    await amount.fill('185.50');
    const before = await amount.boundingBox();
    served.screen = screenOf('terminals', 'es');
    await page.getByText('Esperando la tarjeta').waitFor();
    expect(await amount.inputValue()).toBe('185.50');
    expect(await amount.boundingBox()).toEqual(before);
  });

  test('what is left of the hold that ends next is counted down by the page’s own clock', async () => {
    served.screen = screenOf('holds', 'es');
    const { page, close } = await openPage(browser());
    await page.clock.install();
    await page.goto(`${served.url}${served.screen.frame.address}`);
    const left = page.locator('[data-counts-down]');
    expect(await left.textContent()).toBe('3 h 12 min');
    await page.clock.fastForward('12:05');
    expect(await left.textContent()).toBe('2 h 59 min');
    await close();
  });

  test('a phone has its sections behind the menu, a desk beside the page', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: widths.phone, height: 740 });
    await show('payments', 'es');
    const section = page.getByRole('link', { name: 'Pagos', exact: true });
    expect(await section.isVisible()).toBe(false);
    await page.getByText('Menú').click();
    await section.waitFor();
    await page.setViewportSize({ width: widths.desk, height: 800 });
    await section.waitFor();
  });
});
