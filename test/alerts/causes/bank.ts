import { testCards } from '@cobro/contracts/test-cards.ts';
import { saveCard } from '../../../bench/merchants.ts';
import { bankWith, stopped } from '../../sick/begin.ts';
import { type Cause, every, refuseRows } from './cause.ts';

export const bank: Cause[] = [
  {
    alert: 'CobroBankAway',
    what: 'the bank is stopped',
    begin: stopped('bank'),
  },
  {
    alert: 'CobroBankAway',
    what: 'the bank hangs (SIGSTOP)',
    also: ['CobroOutcomesUnknown'],
    begin: async ({ stack }) => {
      const [pid] = stack.processes.pids().bank ?? [];
      if (pid === undefined) throw new Error('the bank does not run');
      process.kill(pid, 'SIGSTOP');
      return async () => void process.kill(pid, 'SIGCONT');
    },
  },
  {
    alert: 'CobroOutcomesUnknown',
    what: 'the bank is silent about one card, which is charged three times in two seconds',
    begin: async ({ stack, merchant }) => {
      const card = await saveCard(stack.baseUrl, merchant.apiKey, testCards.silentDone);
      const stop = every(700, () => merchant.post(`/payment-method/${card}/payment`, { amount: 1 }));
      return async () => stop();
    },
  },
  {
    alert: 'CobroOutcomesUnknown',
    what: 'the bank does three of ten sales and authorizations and never answers',
    begin: bankWith({ rates: { silentDone: 0.3 }, kinds: ['sale', 'authorize'] }),
  },
  {
    alert: 'CobroBankSlow',
    what: 'half of the bank’s answers take 3 s',
    begin: bankWith({
      rates: { slow: 0.5 },
      kinds: ['tokenize', 'authorize', 'sale', 'capture', 'void', 'refund'],
      slowMs: 3_000,
    }),
  },
  {
    alert: 'CobroBankSlow',
    what: 'half of the bank’s answers to sales and authorizations take 3 s',
    begin: bankWith({ rates: { slow: 0.5 }, kinds: ['sale', 'authorize'], slowMs: 3_000 }),
  },
  {
    alert: 'CobroOperationsUnknown',
    what: 'the bank never says what became of a charge, which is then made an hour older',
    begin: async ({ stack, merchant, admin, setBankFaults }) => {
      await setBankFaults({ rates: { silentNotDone: 1 }, kinds: ['inquire'] });
      const card = await saveCard(stack.baseUrl, merchant.apiKey, testCards.silentDone);
      await merchant.post(`/payment-method/${card}/payment`, { amount: 1 });
      await admin(makeOlder);
      return () => setBankFaults({});
    },
  },
  {
    alert: 'CobroOperationsUnknown',
    what: 'the bank answers what became of a charge, a trigger lets nobody write it down, and it is made an hour older',
    begin: async ({ stack, merchant, admin }) => {
      const card = await saveCard(stack.baseUrl, merchant.apiKey, testCards.silentDone);
      const allow = await refuseRows(
        admin,
        'payments.payment',
        `new.payment_method_id = '${card}' and new.status <> 'PENDING'`,
      );
      await merchant.post(`/payment-method/${card}/payment`, { amount: 1 });
      await admin(makeOlder);
      return allow;
    },
  },
];

const makeOlder = `update payments.bank_operation set claimed_at = claimed_at - interval '1 hour' where status = 'open'
  and unanswered_at is not null`;
