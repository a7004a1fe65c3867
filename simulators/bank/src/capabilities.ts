import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import { mostCentavos } from '@cobro/contracts/acquirer/operation-requests.ts';

/** What the bank can do. */
export const capabilities: Capabilities = {
  name: 'simulator',
  protocol: 1,
  live: false,
  cardPresent: true,
  terms: [1, 3, 6, 9, 12, 18],
  minimumPerTerm: 0,
  minimumAmount: 1,
  maximumAmount: mostCentavos,
  installments: 'MONTHLY',
  inquiry: 'close',
  keepsKeysDays: null,
  settlementReport: true,
  recurring: true,
  networks: ['VISA', 'MASTERCARD', 'AMEX', 'CARNET'],
};
