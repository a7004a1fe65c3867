import { setFaults } from '@cobro/testing/bank-faults.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { stackUnderTest } from '../e2e/stack-under-test.ts';
import { browserForTests, describeInBrowser } from './browser-tests.ts';
import { accessibilityFaults } from './check-accessibility.ts';
import { payer as typed } from './checkout-under-test.ts';
import { dashboardLive } from './dashboard-live.story.ts';
import { openPage, type PageSettings } from './open-page.ts';
import { paymentLinkInBrowser } from './payment-link.story.ts';

const payer = { ...typed, expiry: '12/39' };

interface Link {
  id: string;
  checkoutUrl: string;
}

const stateOf = (page: Page) => page.evaluate(() => document.documentElement.dataset['state']);
/** Waits until the page reaches this state. */
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

  const ways: [how: string, settings: PageSettings][] = [
    ['in Spanish on a phone', { locale: 'es-MX' }],
    ['without JavaScript', { withoutScript: true }],
    ['in English on a phone', { locale: 'en-US' }],
    ['at a desk in the dark', { width: 1280, scheme: 'dark' }],
  ];
  test.each(inFull ? ways : ways.slice(0, 2))('and pays %s', async (_how, settings) => {
    const link = await create({ redirectUrl: 'https://tacuba.example/thanks' });
    const { page, complaints, close } = await open(link, settings);
    await fill(page);
    await pay(page);
    await shows(page, 'paid');
    await expect(page.getByRole('link', { name: /Café Tacuba/ }).getAttribute('href')).resolves.toBe(
      'https://tacuba.example/thanks',
    );
    // Neither reloading nor going back pays again.
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

  describe('that anybody may pay', () => {
    paymentLinkInBrowser(under, browser, { fill, pay, shows });
  });

  describe('and the merchant at the dashboard', () => {
    dashboardLive(under, browser);
  });
});
