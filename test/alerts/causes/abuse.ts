import { testCards } from '@cobro/contracts/test-cards.ts';
import { refusedCard } from '@cobro/testing/card-numbers.ts';
import { payer } from '@cobro/testing/test-links.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { createMerchant } from '../../../bench/merchants.ts';
import { bankWith } from '../../sick/begin.ts';
import { type Cause, every, terminalWithIntent } from './cause.ts';

let numbers = 0;
/** Enough that no merchant has fifty refusals before the alert fires. */
const MERCHANTS = 16;

export const abuse: Cause[] = [
  {
    alert: 'CobroAttemptsRefused',
    what: 'somebody tries one card again and again on a link',
    begin: async ({ merchant }) => {
      const { id } = await merchant.post('/one-time-payment', { amount: 90, description: 'Café' });
      const attempt = { card: cardBody(testCards.declined), billingInformation: payer };
      const stop = every(200, () => merchant.post(`/one-time-payment/${id}/payment`, attempt, {}));
      return async () => stop();
    },
  },
  {
    alert: 'CobroAttemptsRefused',
    what: 'a stolen terminal tries one card with many expiries',
    begin: async (parts) => {
      const tap = await terminalWithIntent(parts, `STOLEN-${crypto.randomUUID()}`);
      const card = { number: testCards.declined, expirationYear: 2039 };
      const stop = every(200, () => tap({ ...card, expirationMonth: 1 + (++numbers % 12) }));
      return async () => stop();
    },
  },
  {
    alert: 'CobroManyDeclines',
    what: 'the bank declines eight of ten sales and authorizations',
    begin: bankWith({ rates: { decline: 0.8 }, kinds: ['sale', 'authorize'] }),
  },
  {
    alert: 'CobroManyDeclines',
    what: 'each of many merchants saves a few cards that the vault declines',
    begin: async ({ stack, merchant }) => {
      const made: { apiKey: string }[] = [];
      while (made.length < MERCHANTS) made.push(await createMerchant(stack.databaseUrl, `Tester ${made.length}`));
      const stop = every(100, () => {
        const key = made[++numbers % made.length]?.apiKey ?? '';
        return merchant.post('/payment-method', { card: cardBody(refusedCard(numbers)) }, { 'x-api-key': key });
      });
      return async () => stop();
    },
  },
  {
    alert: 'CobroKeysRefused',
    what: 'somebody guesses keys',
    begin: async ({ merchant }) => {
      const stop = every(100, () => merchant.post('/payment-intent', {}, { 'x-api-key': `sk_test_${++numbers}` }));
      return async () => stop();
    },
  },
  {
    alert: 'CobroKeysRefused',
    what: 'a terminal goes on asking with a key that is none',
    begin: async ({ merchant }) => {
      const path = '/terminal/v1/payment-intent/00000000-0000-7000-8000-000000000000/payment';
      const stop = every(100, () => merchant.post(path, {}, { 'x-terminal-key': 'tk_none' }));
      return async () => stop();
    },
  },
  {
    alert: 'CobroMerchantSuspected',
    what: 'a merchant’s key saves cards that the vault does not take, one after the other, until payments is restarted',
    also: ['CobroManyDeclines'],
    begin: async ({ stack, merchant }) => {
      const { apiKey } = await createMerchant(stack.databaseUrl, 'Tester');
      for (let n = 0; n < 50; n++) {
        await merchant.post('/payment-method', { card: cardBody(refusedCard(++numbers)) }, { 'x-api-key': apiKey });
      }
      return () => stack.processes.restart('payments', {});
    },
  },
];
