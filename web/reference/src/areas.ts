import type { Route } from './document.ts';

/** A page of routes. */
export interface Area {
  file: string;
  title: string;
  about: string;
  routes: Route[];
}

const areas: readonly (Omit<Area, 'routes'> & { paths: RegExp })[] = [
  {
    file: 'saved-cards.html',
    title: 'Saved cards',
    about: 'A card is saved once at the vault of the bank and charged as often as its holder has agreed.',
    paths: /^\/payment-method(?!.*\/payment(?:\/|$))/,
  },
  {
    file: 'payments.html',
    title: 'Payments and holds',
    about: 'Charge a saved card, or hold funds on it and capture them within seven natural days.',
    paths: /^\/payment-method\/\{id\}\/payment/,
  },
  {
    file: 'overview.html',
    title: 'Overview',
    about: 'What a dashboard shows of payments of any origin: what is open at the bank, and what was asked of it.',
    paths: /^\/(?:(?:payment|report)\/|fee-channel$)/,
  },
  {
    file: 'one-time-payments.html',
    title: 'One-time payments',
    about: 'A link that a customer opens and pays once, on a page of ours.',
    paths: /^\/one-time-payment/,
  },
  {
    file: 'payment-links.html',
    title: 'Payment links',
    about: 'An address that any number of customers open and pay, on a page of ours.',
    paths: /^\/payment-link/,
  },
  {
    file: 'subscriptions.html',
    title: 'Subscriptions',
    about: 'A saved card that is charged once for each period, by itself.',
    paths: /^\/subscription/,
  },
  {
    file: 'products.html',
    title: 'Products',
    about: 'What a merchant sells, at its price, with a stock where units are counted.',
    paths: /^\/product/,
  },
  {
    file: 'promotions.html',
    title: 'Promotions',
    about: 'Who bears the fee of some payments. What the payer pays stays the same.',
    paths: /^\/promotion/,
  },
  {
    file: 'payment-intents.html',
    title: 'Payment intents',
    about: 'A till creates an intent, a terminal takes the card.',
    paths: /^\/(?:payment-intent|terminal$)/,
  },
  {
    file: 'terminals.html',
    title: 'Terminals',
    about: 'What a terminal calls, with a key of its own.',
    paths: /^\/terminal\//,
  },
  {
    file: 'organization.html',
    title: 'Organization and people',
    about: 'The merchant’s profile, its branches, and the people who sell.',
    paths: /^\/(?:organization$|business-store-branch|salesperson)/,
  },
  {
    file: 'developer.html',
    title: 'Developer API',
    about:
      'Every payment with an outcome, whatever it was made for, and the other records, walked by cursor. A key may make 120 requests a minute here.',
    paths: /^\/developer\/v1\//,
  },
  {
    file: 'events.html',
    title: 'Events',
    about: 'What happened in the last 30 days, walked by cursor, and what each event has in it.',
    paths: /^\/event/,
  },
  {
    file: 'webhooks.html',
    title: 'Webhooks',
    about: 'Events sent to addresses of yours, signed as Standard Webhooks says.',
    paths: /^\/webhook-endpoint/,
  },
  {
    file: 'partners.html',
    title: 'Sales partners',
    about: 'What a partner reads of its organizations, at an address of its own.',
    paths: /^\/developer\/(?!v1\/)/,
  },
];

/** The areas in reading order. The pages of the checkout are for browsers, and in none. @throws if a route is in no area */
export function areasOf(routes: readonly Route[]): Area[] {
  const called = routes.filter(({ path }) => !path.startsWith('/checkout/'));
  const lost = called.find(({ path }) => !areas.some(({ paths }) => paths.test(path)));
  if (lost !== undefined) throw new Error(`web/reference/src/areas.ts has no area for ${lost.path}`);
  return areas.map(({ paths, ...area }) => ({ ...area, routes: called.filter(({ path }) => paths.test(path)) }));
}
