import type { Language } from '@cobro/html/language.ts';
import { organizationsPage, type OrganizationsView } from '../src/partner/organizations-page.ts';
import {
  partnerPaymentsPage,
  type PartnerPaymentsView,
  type PartnerRow,
} from '../src/partner/partner-payments-page.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const row = (over: Partial<PartnerRow>): PartnerRow => ({
  id: ids.payment,
  status: 'CONFIRMED',
  operationCode: 100_482,
  amount: 1_250.5,
  createdAt: '2026-11-24T18:04:09.000Z',
  organization: { id: ids.link, name: 'Café Tacuba' },
  cardInformation: { lastFourDigits: '**** 4242', networkType: 'VISA' },
  paymentDisbursement: {
    merchantFeeAmount: '37.52',
    merchantIvaFeeAmount: '6.00',
    promotionTakeAmount: '12.51',
    merchantTakeAmount: '1194.47',
  },
  ...over,
});
const rows = [
  row({}),
  row({ status: 'PENDING', operationCode: 100_481, organization: { id: ids.card, name: names.long } }),
  row({ status: 'REFUNDED', operationCode: 100_480, organization: { id: ids.card, name: names.hostile } }),
  row({ status: 'CANCELLED', operationCode: 100_479, amount: 999_999_999.99 }),
];

/** The screens of a sales partner, by a name for tests and pictures. */
export function partnerScreens(language: Language): Record<string, Screen> {
  const acting = { scope: 'partner', role: 'viewer', scopeName: 'Socio' } as const;
  const payments = (over: Partial<PartnerPaymentsView>): Screen => {
    const frame = sampleFrame(language, '/partner/payments', acting);
    const found = { kind: 'rows', rows, count: 10_482, isCapped: false, offset: 50 } as const;
    return { frame, content: partnerPaymentsPage(frame, { filters: {}, organizationName: null, found, ...over }) };
  };
  const organizations = (view: OrganizationsView): Screen => {
    const frame = sampleFrame(language, '/partner/organizations', acting);
    return { frame, content: organizationsPage(frame, view) };
  };
  const nothing = { kind: 'rows', rows: [], count: 0, isCapped: false, offset: 0 } as const;
  const some = [ids.link, ids.card, ids.key].map((id, i) => ({
    id,
    name: ['Café Tacuba', names.long, names.hostile][i] ?? '',
  }));
  return {
    'partner-payments': payments({}),
    'partner-payments-filtered': payments({
      filters: { q: '1250', organizationId: ids.link, status: 'CONFIRMED', from: '2026-11-01', to: names.hostile },
      organizationName: names.long,
    }),
    'partner-payments-none': payments({ found: nothing }),
    'partner-payments-unavailable': payments({ found: { kind: 'unavailable' } }),
    'partner-organizations': organizations({ organizations: some, offset: 0, hasMore: true }),
    'partner-organizations-none': organizations({ organizations: [], offset: 0, hasMore: false }),
  };
}
