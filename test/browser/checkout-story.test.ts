import { setFaults } from '@cobro/testing/bank-faults.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { stackUnderTest } from '../e2e/stack-under-test.ts';
import { browserForTests, describeInBrowser } from './browser-tests.ts';
import { accessibilityFaults, scrollsSideways } from './check-accessibility.ts';
import { dashboardLive } from './dashboard-live.story.ts';
import { openPage, type PageSettings } from './open-page.ts';
import { paymentLinkInBrowser } from './payment-link.story.ts';

const payer = {
  number: testCards.approved as string,
  expiry: '12/39',
  cvc: '123',
  holderName: 'Ana Torres',
  email: 'ana@example.com',
  firstName: 'Ana',
  lastName: 'Torres',
};

interface Link {
  id: string;
  checkoutUrl: string;
}

const stateOf = (page: Page) => page.evaluate(() => document.documentElement.dataset['state']);
/** Until the page that a form or a waiting page leads to shows this state. */
const shows = (page: Page, state: string) => page.locator(`html[data-state="${state}"]`).waitFor({ state: 'attached' });

async function fill(page: Page, over: Partial<typeof payer> = {}): Promise<void> {
  for (const [name, text] of Object.entries({ ...payer, ...over })) await page.locator(`#${name}`).fill(text);
}
const pay = (page: Page) => page.getByRole('button', { name: /Pagar|Pay/ }).click();

describeInBrowser('a customer opens the link of a merchant', () => {
  const under = stackUnderTest({ telemetry: false });
  const browser = browserForTests();

  const create = async (body: object = {}): Promise<Link> => {
    const asked = { amount: 1_499.9, description: 'Dos boletos, fila 7', allowedTerms: [1, 3], ...body };
    const created = await under.merchant().send('POST', '/one-time-payment', { body: asked });
    expect(created.status).toBe(201);
    return created.body as unknown as Link;
  };
  const open = async (link: Link, settings?: PageSettings) => {
    const opened = await openPage(browser(), settings);
    await opened.page.goto(link.checkoutUrl);
    return opened;
  };
  const payments = async (link: Link) => {
    const found = await under.merchant().send('GET', `/developer/v1/payment?oneTimePaymentId=${link.id}`);
    return (found.body as unknown as { data: { status: string }[] }).data;
  };
  const paidOnce = async (link: Link) => {
    await under.agreed();
    expect((await payments(link)).filter(({ status }) => status === 'CONFIRMED')).toHaveLength(1);
  };

  test.each([
    ['in Spanish on a phone', { locale: 'es-MX' }],
    ['in English on a phone', { locale: 'en-US' }],
    ['without JavaScript', { withoutScript: true }],
    ['at a desk in the dark', { width: 1280, scheme: 'dark' }],
  ] as const)('and pays %s', async (_how, settings) => {
    const link = await create({ redirectUrl: 'https://tacuba.example/thanks' });
    const { page, complaints, close } = await open(link, settings);
    await fill(page);
    await pay(page);
    await shows(page, 'paid');
    await expect(page.getByRole('link', { name: /Café Tacuba/ }).getAttribute('href')).resolves.toBe(
      'https://tacuba.example/thanks',
    );
    // Reloading and going back pay nothing again.
    await page.reload();
    await shows(page, 'paid');
    await page.goBack();
    expect(complaints).toEqual([]);
    await close();
    await paidOnce(link);
  });

  test('and is declined, told what to do, and pays with another card', async () => {
    const link = await create();
    const { page, close } = await open(link);
    await fill(page, { number: testCards.insufficientFunds });
    await pay(page);
    await page
      .getByRole('alert')
      .getByText(/fondos/i)
      .waitFor();
    expect(await page.locator('#number').inputValue()).toBe('');
    expect(await page.locator('#email').inputValue()).toBe(payer.email);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator('#number').fill(testCards.approved);
    await page.locator('#cvc').fill('123');
    await page.locator('#holderName').fill('Ana Torres');
    await page.locator('#expiry').fill('12/39');
    await pay(page);
    await shows(page, 'paid');
    await close();
    await paidOnce(link);
  });

  test('in two tabs, and clicks twice, and pays once', async () => {
    const link = await create();
    const [one, other] = [await open(link), await open(link)];
    await Promise.all([fill(one.page), fill(other.page)]);
    await Promise.all([
      one.page.getByRole('button', { name: 'Pagar' }).dblclick(),
      other.page.getByRole('button', { name: 'Pagar' }).click(),
    ]);
    for (const { page } of [one, other]) await page.locator('html[data-state$="paid"]').waitFor({ state: 'attached' });
    expect(new Set([await stateOf(one.page), await stateOf(other.page)])).toEqual(new Set(['already-paid', 'paid']));
    await Promise.all([one.close(), other.close()]);
    await paidOnce(link);
  });

  test('and waits while the bank says nothing, and then sees the receipt by itself', async () => {
    const link = await create();
    const { page, close } = await open(link);
    await fill(page, { number: testCards.silentDone });
    await setFaults(under.stack().bankUrl, unansweredInquiries);
    await pay(page);
    await shows(page, 'confirming');
    await setFaults(under.stack().bankUrl, {});
    await shows(page, 'paid');
    expect(await stateOf(page)).toBe('paid');
    await close();
    await paidOnce(link);
  });

  test('and pays with the keyboard alone', async () => {
    const link = await create();
    const { page, close } = await open(link);
    const order = ['number', 'expiry', 'cvc', 'holderName'];
    await page.locator('#number').focus();
    for (const name of order) {
      expect(await page.evaluate(() => document.activeElement?.id)).toBe(name);
      await page.keyboard.type(payer[name as keyof typeof payer]);
      await page.keyboard.press('Tab');
    }
    await page.locator('#email').focus();
    for (const name of ['email', 'firstName', 'lastName'] as const) {
      await page.keyboard.type(payer[name]);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page
      .locator('#lastName')
      .focus({ timeout: 5_000 })
      .catch(() => {});
    await page.keyboard.press('Enter').catch(() => {});
    await shows(page, 'paid');
    await close();
    await paidOnce(link);
  });

  describe('that is closed', () => {
    test.each(['cancelled', 'already-paid', 'not-found'])('and sees a page for it: %s', async (state) => {
      const link = await create();
      if (state === 'cancelled') await under.merchant().send('PATCH', `/one-time-payment/${link.id}/cancel`);
      if (state === 'already-paid') {
        const { page, close } = await open(link);
        await fill(page);
        await pay(page);
        await shows(page, 'paid');
        await close();
      }
      const address = state === 'not-found' ? link.checkoutUrl.slice(0, -4).concat('0000') : link.checkoutUrl;
      const { page, close } = await open({ ...link, checkoutUrl: address });
      expect(await stateOf(page)).toBe(state);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      await close();
    });
  });

  describe('that anybody may pay', () => {
    paymentLinkInBrowser(under, browser, { fill, pay, shows });
  });

  describe('and the merchant at the dashboard', () => {
    dashboardLive(under, browser);
  });
});
