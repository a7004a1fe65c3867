import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';

/** What Stripe does for an account in Mexico. */
export const capabilitiesOf = (isLive: boolean): Capabilities => ({
  name: 'stripe',
  protocol: 1,
  live: isLive,
  // Stripe cannot charge a card by the data that another maker's terminal read.
  cardPresent: false,
  terms: [1, 3, 6, 9, 12, 18],
  // Stripe takes installments from 300 pesos for three months.
  minimumPerTerm: 10_000,
  minimumAmount: 1_000,
  maximumAmount: 99_999_999,
  installments: 'AT_ONCE',
  inquiry: 'close',
  keepsKeysDays: null,
  settlementReport: true,
  recurring: true,
  networks: ['VISA', 'MASTERCARD', 'AMEX'],
});
