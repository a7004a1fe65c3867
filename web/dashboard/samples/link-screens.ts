import { html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { cancelLinkPage, linkPage, type LinkView, type ShownLink } from '../src/links/link-page.ts';
import { linkHref, type LinkProblem } from '../src/links/link-parts.ts';
import { type LinkRow, linksPage, type LinksView } from '../src/links/links-page.ts';
import { newLinkPage, type NewLinkView } from '../src/links/new-link-page.ts';
import { posterPage } from '../src/links/share-link.ts';
import type { Acting } from '../src/shell/frame.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const link: ShownLink = {
  id: ids.link,
  status: 'PENDING',
  expired: false,
  description: 'Dos noches en Oaxaca',
  amount: 1499,
  currency: 'MXN',
  externalId: 'reserva-7',
  expiresAt: '2026-12-01T18:04:00.000Z',
  redirectUrl: null,
  homepageUrl: null,
  allowedTerms: [1, 3, 6],
  createdAt: '2026-11-24T18:04:00.000Z',
  updatedAt: '2026-11-24T18:04:00.000Z',
  billingInformation: null,
  checkoutUrl: `https://pago.cafe-tacuba.example/checkout/${ids.link}`,
  payment: null,
  salesperson: { id: ids.person, name: 'Lucía Ramos', username: 'lucia' },
};

const row = (over: Partial<LinkRow>): LinkRow => ({ ...link, ...over });
const rows: LinkRow[] = [
  row({}),
  row({ status: 'CONFIRMED', amount: 89_999.99, description: 'Anticipo de la banda, boda del 12 de diciembre' }),
  row({ expired: true, amount: 0.01, description: names.hostile }),
  row({ status: 'CANCELLED', amount: 999_999_999.99, description: names.long }),
];

/** A drawing of about the size of a real one: the sample is not a code that can be read. */
const qr =
  html`<svg viewBox="0 0 33 33"><path fill="#fff" d="M0 0h33v33H0z"/><path d="M4 4h7v7H4zM22 4h7v7h-7zM4 22h7v7H4zM13 13h7v7h-7z"/></svg>`.toString();

const sellers = [
  { id: ids.person, name: 'Lucía Ramos' },
  { id: ids.card, name: names.long },
];

const refused = (code: string, status: number): LinkProblem => ({ kind: 'refused', code, status, requestId: ids.key });

/** The screens of links, by a name for tests and pictures. */
export function linkScreens(language: Language): Record<string, Screen> {
  const list = (view: LinksView, acting: Partial<Acting> = {}): Screen => {
    const frame = sampleFrame(language, '/links', acting);
    return { frame, content: linksPage(frame, view) };
  };
  const detail = (over: Partial<ShownLink>, done: LinkView['done'] = null): Screen => {
    const frame = sampleFrame(language, `/links/${ids.link}`);
    return { frame, content: linkPage(frame, { link: { ...link, ...over }, qr, done }) };
  };
  const form = (over: Partial<NewLinkView>): Screen => {
    const frame = sampleFrame(language, '/links/new');
    const view = { formId: ids.key, typed: { terms: [1] }, sellers, wrong: [], problem: null, ...over };
    return { frame, content: newLinkPage(frame, view) };
  };
  const cancel = (problem: LinkProblem | null): Screen => {
    const frame = sampleFrame(language, `/links/${ids.link}/cancel`);
    return { frame, content: cancelLinkPage(frame, { link, problem }) };
  };
  const posterFrame = sampleFrame(language, `/links/${ids.link}/poster`);
  const found = { rows, page: 2, hasMore: true };
  const nothing = { rows: [], page: 1, hasMore: false };
  const payment = { id: ids.payment, status: 'REFUNDED', operationCode: 100_482 } as const;
  return {
    links: list({ status: null, found: { ...found, page: 1, hasMore: false } }),
    'links-paged': list({ status: 'PENDING', found }, { role: 'read-only' }),
    'links-first': list({ status: null, found: nothing }),
    'links-none': list({ status: 'CANCELLED', found: nothing }),
    'links-unavailable': list({ status: null, found: null }),
    'links-new': form({}),
    'links-new-wrong': form({
      typed: { amount: names.formula, description: names.hostile, externalId: 'x'.repeat(255), days: '7', terms: [] },
      wrong: ['amount', 'description', 'terms', 'externalId'],
    }),
    'links-new-used': form({
      typed: { amount: '1,499.00', description: names.long, salesperson: ids.person, terms: [1, 6] },
      problem: refused('EXTERNAL_ID_MISMATCH', 409),
    }),
    'links-new-lost': form({
      typed: { amount: '1,499.00', description: 'Pan', terms: [1] },
      problem: { kind: 'lost', requestId: ids.key },
    }),
    link: detail({}, 'created'),
    'link-paid': detail({ status: 'CONFIRMED', payment, description: names.hostile, externalId: 'x'.repeat(255) }),
    'link-cancelled': detail({ status: 'CANCELLED', amount: 999_999_999.99, description: names.long }, 'cancelled'),
    'link-expired': detail({ expired: true }),
    'link-cancel': cancel(null),
    'link-cancel-paying': cancel(refused('PAYMENT_IN_PROGRESS', 409)),
    'link-poster': {
      frame: posterFrame,
      content: posterPage(posterFrame, {
        link: { ...link, href: linkHref(link.id), description: names.long },
        qr,
        section: 'links',
      }),
    },
  };
}
