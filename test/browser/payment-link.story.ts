import { testCards } from '@cobro/contracts/test-cards.ts';
import { declinedCard } from '@cobro/testing/card-numbers.ts';
import { testInFull } from '@cobro/testing/test-in-full.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { StackUnderTest } from '../e2e/stack-under-test.ts';
import { accessibilityFaults, scrollsSideways } from './check-accessibility.ts';
import { openPage } from './open-page.ts';

interface Link {
  id: string;
  checkoutUrl: string;
}

/** Functions that fill in, send and check a page. */
interface Hands {
  fill(page: Page, over?: { number?: string }): Promise<void>;
  pay(page: Page): Promise<void>;
  shows(page: Page, state: string): Promise<void>;
}

/** Tests of a payment link's states, on the stack and in the browser of the story of one-time payments. */
export function paymentLinkInBrowser(under: StackUnderTest, browser: () => Browser, { fill, pay, shows }: Hands): void {
  const create = async (body: object = {}): Promise<Link> => {
    const asked = { amount: 350, description: 'Clase de yoga', ...body };
    const created = await under.merchant().send('POST', '/payment-link', { body: asked });
    expect(created.status).toBe(201);
    return created.body as unknown as Link;
  };
  const change = async ({ id }: Link, body: object) =>
    expect((await under.merchant().send('PATCH', `/payment-link/${id}`, { body })).status).toBe(200);
  const open = async (link: Link) => {
    const opened = await openPage(browser());
    await opened.page.goto(link.checkoutUrl);
    return opened;
  };
  const paymentsOf = async ({ id }: Link) => {
    const { body } = await under.merchant().send('GET', `/payment-link/${id}/payment`);
    return (body as unknown as { items: { status: string; amount: number }[] }).items;
  };

  test('two customers pay, and each sees a receipt of its own; the third comes too late', async () => {
    const link = await create({ maxPayments: 2 });
    const [one, other] = [await open(link), await open(link)];
    for (const { page } of [one, other]) {
      await fill(page);
      await page.getByRole('button', { name: /Pagar|Pay/ }).dblclick();
      await shows(page, 'paid');
    }
    await one.page.reload();
    await shows(one.page, 'paid');
    const third = await open(link);
    await shows(third.page, 'sold-out');
    expect(await accessibilityFaults(third.page)).toEqual([]);
    expect(await scrollsSideways(third.page)).toBe(false);
    await Promise.all([one, other, third].map(({ close }) => close()));
    expect((await paymentsOf(link)).map(({ status }) => status)).toEqual(['CONFIRMED', 'CONFIRMED']);
    const found = async () => {
      const { body } = await under.merchant().send('GET', `/developer/v1/payment?paymentLinkId=${link.id}`);
      return (body as unknown as { data: { paymentLinkId: string }[] }).data;
    };
    await until('reporting has both', async () => (await found()).length === 2);
    await under.agreed();
  });

  test('whoever is declined, or meets a new price, is told so, and pays what the page then shows', async () => {
    const link = await create();
    const { page, close } = await open(link);
    await fill(page, { number: testCards.insufficientFunds });
    await pay(page);
    await page
      .getByRole('alert')
      .getByText(/fondos/i)
      .waitFor();
    await change(link, { amount: 380.5 });
    await fill(page);
    await pay(page);
    await page
      .getByRole('alert')
      .getByText(/precio cambió/i)
      .waitFor();
    expect(await page.locator('.summary .amount').innerText()).toContain('380.50');
    expect(await accessibilityFaults(page)).toEqual([]);
    await fill(page);
    await pay(page);
    await shows(page, 'paid');
    await close();
    expect(await paymentsOf(link)).toMatchObject([{ status: 'CONFIRMED', amount: 380.5 }, { status: 'CANCELLED' }]);
  });

  testInFull('after five declines of a card the form says when to come back', async () => {
    const link = await create();
    const { page, close } = await open(link);
    for (let n = 0; n < 6; n++) {
      const token = await page.locator('[name="token"]').inputValue();
      await fill(page, { number: declinedCard(700) });
      await pay(page);
      await page.locator(`[name="token"]:not([value="${token}"])`).waitFor({ state: 'attached' });
      const said = n < 5 ? /banco no autorizó/i : /demasiados intentos/i;
      await page.getByRole('alert').getByText(said).waitFor();
    }
    await close();
    expect((await paymentsOf(link)).map(({ status }) => status)).toEqual(Array(5).fill('CANCELLED'));
  });

  test('one that expires while its page is open says so, and nothing is charged', async () => {
    const link = await create();
    const { page, close } = await open(link);
    await fill(page);
    await change(link, { expiresAt: new Date(Date.now() + 5_000).toISOString() });
    const status = async () =>
      ((await under.merchant().send('GET', `/payment-link/${link.id}`)).body as unknown as { status: string }).status;
    await until('it has expired', async () => (await status()) === 'EXPIRED');
    await pay(page);
    await shows(page, 'expired');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(link.checkoutUrl);
    await shows(page, 'expired');
    expect(await scrollsSideways(page)).toBe(false);
    await close();
    expect(await paymentsOf(link)).toEqual([]);
  });
}
