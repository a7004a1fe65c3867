import { z } from 'zod';
import type { RouteContract } from '../route.ts';
import { opaque } from '../text.ts';
import { MONEY_MS, READ_MS } from './time-limits.ts';

/** Fields of the form as a browser sends them. The page's own code validates them, because it shows the errors on the page. */
const checkoutForm = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** May be no UUID: then a page says that nothing is paid there. */
const anyId = z.object({ id: z.string() });

export const showCheckout = {
  method: 'GET',
  path: '/checkout/:id',
  who: 'public',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'The page on which a one-time payment or a payment link is paid',
  params: anyId,
  query: z.object({ lang: opaque.optional(), attempt: opaque.optional() }),
  answers: {
    200: { means: 'The page, in whichever state that is which is paid there.', media: 'text/html' },
    404: { means: 'Nothing is paid there; the page says so.', media: 'text/html' },
    503: { means: 'It cannot be shown now; the page says so.', media: 'text/html' },
  },
  refusals: [],
} as const satisfies RouteContract;

export const submitCheckout = {
  method: 'POST',
  path: '/checkout/:id',
  who: 'public',
  service: 'payments',
  lane: 'money',
  timeLimitMs: MONEY_MS,
  summary: 'What the page’s form sends',
  params: anyId,
  body: { form: checkoutForm },
  answers: {
    303: { means: 'The outcome is on the page that Location names.', empty: true },
    400: { means: 'The form again, with what is wrong beside each field.', media: 'text/html' },
    403: { means: 'The form did not come from the page.', media: 'text/html' },
    404: { means: 'Nothing is paid there; the page says so.', media: 'text/html' },
    409: { means: 'Not with this card, or not now; the page says so.', media: 'text/html' },
    429: { means: 'Too many declined attempts; the page says when to come back.', media: 'text/html' },
    503: {
      means:
        'Nothing was charged, because the bank cannot be reached, or the outcome cannot be read now; the page says which.',
      media: 'text/html',
    },
  },
  refusals: [],
} as const satisfies RouteContract;

export const loadCheckoutAsset = {
  method: 'GET',
  path: '/checkout/assets/:name',
  who: 'public',
  service: 'payments',
  lane: 'read',
  timeLimitMs: READ_MS,
  summary: 'The script of the page',
  params: z.object({ name: z.string() }),
  answers: { 200: { means: 'The script; it never changes under this name.', media: 'text/javascript' } },
  refusals: ['NOT_FOUND'],
} as const satisfies RouteContract;
