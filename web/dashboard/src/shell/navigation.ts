import { html, type Html } from '@cobro/html/html.ts';
import type { Acting, Frame } from './frame.ts';
import { shellWords, type ShellWords } from './words.ts';

export type Section = keyof ShellWords['sections'];

interface Entry {
  section: Section;
  href: string;
  isFor: (acting: Acting) => boolean;
}

/** In the order in which they are shown. */
const entries: readonly Entry[] = [
  { section: 'home', href: '/', isFor: ({ scope }) => scope === 'organization' },
  { section: 'payments', href: '/payments', isFor: ({ scope }) => scope === 'organization' },
  { section: 'holds', href: '/holds', isFor: ({ scope }) => scope === 'organization' },
  { section: 'deposits', href: '/deposits', isFor: ({ scope }) => scope === 'organization' },
  { section: 'partnerPayments', href: '/partner/payments', isFor: ({ scope }) => scope === 'partner' },
  { section: 'organizations', href: '/partner/organizations', isFor: ({ scope }) => scope === 'partner' },
  { section: 'links', href: '/links', isFor: ({ scope }) => scope === 'organization' },
  { section: 'paymentLinks', href: '/payment-links', isFor: ({ scope }) => scope === 'organization' },
  { section: 'subscriptions', href: '/subscriptions', isFor: ({ scope }) => scope === 'organization' },
  { section: 'products', href: '/products', isFor: ({ scope }) => scope === 'organization' },
  { section: 'promotions', href: '/promotions', isFor: ({ scope }) => scope === 'organization' },
  { section: 'partnerPromotions', href: '/partner/promotions', isFor: ({ scope }) => scope === 'partner' },
  { section: 'terminals', href: '/terminals', isFor: ({ scope }) => scope === 'organization' },
  { section: 'sellers', href: '/sellers', isFor: ({ scope }) => scope === 'organization' },
  { section: 'calculator', href: '/calculator', isFor: ({ scope }) => scope === 'organization' },
  {
    section: 'developers',
    href: '/developers',
    isFor: ({ scope, role }) => scope === 'organization' || (scope === 'partner' && role === 'owner'),
  },
  { section: 'platform', href: '/platform/organizations', isFor: ({ scope }) => scope === 'platform' },
  { section: 'platformPartners', href: '/platform/partners', isFor: ({ scope }) => scope === 'platform' },
  { section: 'platformOperations', href: '/platform/operations', isFor: ({ scope }) => scope === 'platform' },
  { section: 'settings', href: '/settings', isFor: () => true },
];

/** The navigation of a signed-in person. `current` is the page's own section. */
export function navigation(frame: Frame, acting: Acting, current: string | undefined): Html {
  const { sections } = shellWords[frame.language];
  const shown = entries.filter(({ isFor }) => isFor(acting));
  return html`<ul class="sections">
    ${shown.map(
      ({ section, href }) =>
        html`<li><a href="${href}"${section === current && html` aria-current="page"`}>${sections[section]}</a></li>`,
    )}
  </ul>`;
}
