import { checkoutAddress } from '@cobro/checkout/checkout-address.ts';
import type { CheckoutView } from '@cobro/checkout/checkout-view.ts';
import { checkoutViews } from '@cobro/checkout/samples/checkout-views.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { afterEach, beforeEach } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type OpenPage, openPage, type PageSettings } from './open-page.ts';
import { type ServedViews, serveViews } from './serve-views.ts';

const views = checkoutViews('es');

/** One of the sample pages, in Spanish. */
export const viewOf = (state: string): CheckoutView => views[state] as CheckoutView;

/** A valid form. */
export const payer = {
  number: testCards.approved as string,
  expiry: '0829',
  cvc: '123',
  holderName: 'Ana Torres',
  email: 'ana@example.com',
  firstName: 'Ana',
  lastName: 'Torres',
};

/** For each test a server that first shows the form, and a browser page on it. */
export function checkoutUnderTest(browser: () => Browser) {
  const { id } = viewOf('form');
  let served: ServedViews;
  let opened: OpenPage | undefined;
  beforeEach(async () => {
    served = await serveViews(viewOf('form'));
  });
  afterEach(async () => {
    await opened?.close();
    await served.close();
  });
  const now = () => {
    if (opened === undefined) throw new Error('The page is not open yet.');
    return opened;
  };
  const field = (name: string) => now().page.locator(`#${name}`);
  const type = async (name: string, text: string) => {
    await field(name).focus();
    await now().page.keyboard.type(text);
  };
  return {
    /** The one-time payment of the page. */
    id,
    served: () => served,
    opened: now,
    page: () => now().page,
    async open(settings?: PageSettings) {
      await opened?.close();
      opened = await openPage(browser(), settings);
      await opened.page.goto(`${served.url}${checkoutAddress(id)}`);
    },
    /** Types key by key. */
    type,
    async fill(over: Partial<typeof payer> = {}) {
      for (const [name, text] of Object.entries({ ...payer, ...over })) await type(name, text);
    },
    valueOf: (name: string) => field(name).inputValue(),
    errorOf: (name: string) => now().page.locator(`#${name}-error`).textContent(),
    payButton: () => now().page.getByRole('button', { name: 'Pagar' }),
    /** Waits for the page with this heading. */
    see: (heading: string) => now().page.getByRole('heading', { name: heading }).waitFor(),
  };
}
