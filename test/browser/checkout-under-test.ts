import { checkoutAddress } from '@cobro/checkout/checkout-address.ts';
import type { CheckoutView } from '@cobro/checkout/checkout-view.ts';
import { checkoutViews } from '@cobro/checkout/samples/checkout-views.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { afterEach, beforeEach } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { type OpenPage, openPage, type PageSettings } from './open-page.ts';
import { type ServedViews, serveViews } from './serve-views.ts';

const views = checkoutViews('es');

/** One of the sample pages, in Spanish. */
export const viewOf = (state: string): CheckoutView => views[state] as CheckoutView;

/** What a person who can pay fills in. */
export const payer = {
  number: testCards.approved as string,
  expiry: '0829',
  cvc: '123',
  holderName: 'Ana Torres',
  email: 'ana@example.com',
  firstName: 'Ana',
  lastName: 'Torres',
};

export interface CheckoutUnderTest {
  /** Of the one-time payment whose page it is. */
  id: string;
  served: () => ServedViews;
  opened: () => OpenPage;
  page: () => Page;
  open(settings?: PageSettings): Promise<void>;
  /** Key by key. */
  type(field: string, text: string): Promise<void>;
  fill(over?: Partial<typeof payer>): Promise<void>;
  valueOf(field: string): Promise<string>;
  errorOf(field: string): Promise<string | null>;
  payButton: () => Locator;
  /** Waits for the page with this heading. */
  see(heading: string): Promise<void>;
}

/** For each test a server that shows the form first, and a page that is opened on it. */
export function checkoutUnderTest(browser: () => Browser): CheckoutUnderTest {
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
    id,
    served: () => served,
    opened: now,
    page: () => now().page,
    async open(settings) {
      await opened?.close();
      opened = await openPage(browser(), settings);
      await opened.page.goto(`${served.url}${checkoutAddress(id)}`);
    },
    type,
    async fill(over = {}) {
      for (const [name, text] of Object.entries({ ...payer, ...over })) await type(name, text);
    },
    valueOf: (name) => field(name).inputValue(),
    errorOf: (name) => now().page.locator(`#${name}-error`).textContent(),
    payButton: () => now().page.getByRole('button', { name: 'Pagar' }),
    see: (heading) => now().page.getByRole('heading', { name: heading }).waitFor(),
  };
}
