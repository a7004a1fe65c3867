import type { PaymentStatus } from '@cobro/contracts/payments.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { plain } from '@cobro/html/plain.ts';
import { badge, type Tone } from '../parts/small-parts.ts';
import { paymentWords } from './payment-words.ts';

const tones: { [Name in PaymentStatus]: Tone } = {
  NOT_INITIALIZED: 'quiet',
  PENDING: 'wait',
  CONFIRMED: 'good',
  CANCELLED: 'bad',
  REFUNDED: 'quiet',
  HELD: 'wait',
  HOLD_RELEASED: 'quiet',
  HOLD_EXPIRED: 'quiet',
};

export const statusBadge = (language: Language, status: PaymentStatus): Html =>
  badge(tones[status], paymentWords[language].statuses[status]);

const networks = new Map([
  ['VISA', 'Visa'],
  ['MASTERCARD', 'Mastercard'],
  ['AMEX', 'Amex'],
  ['CARNET', 'Carnet'],
]);

export const networkName = (network: string): string => networks.get(network) ?? plain(network);

/** "Visa ···· 4242" */
export const shortCard = ({ network, lastFourDigits }: { network: string; lastFourDigits: string }): Html =>
  html`<span class="number">${networkName(network)} ···· ${lastFourDigits}</span>`;

export const paymentHref = (id: string): string => `/payments/${encodeURIComponent(id)}`;
