import { testCards } from '@cobro/contracts/test-cards.ts';
import { saveCard } from '../../../bench/merchants.ts';
import type { Parts } from '../parts.ts';
import { type Cause, refuseRows, terminalWithIntent } from './cause.ts';

export const money: Cause[] = [
  {
    alert: 'CobroTapsWait',
    what: 'a card is tapped, and the bank never says what became of it',
    begin: async (parts) => {
      await parts.setBankFaults({ rates: { silentNotDone: 1 }, kinds: ['inquire'] });
      await tap(parts, 'ALERT-1', testCards.silentDone);
      return () => parts.setBankFaults({});
    },
  },
  {
    alert: 'CobroTapsWait',
    what: 'a card is tapped and charged, and a trigger lets intents write nothing down',
    also: ['CobroEventsParked'],
    begin: async (parts) => {
      const allow = await refuseRows(parts.admin, 'intents.payment_intent', `new.status = 'CONFIRMED'`);
      await tap(parts, 'ALERT-2', testCards.approved);
      return allow;
    },
  },
  {
    alert: 'CobroTapsWait',
    what: 'a card is tapped while payments is stopped',
    also: ['CobroServiceSilent', 'CobroRequestsFail'],
    begin: async (parts) => {
      const { processes } = parts.stack;
      await processes.stop('payments');
      await tap(parts, 'ALERT-3', testCards.approved);
      return () => processes.start('payments');
    },
  },
  {
    alert: 'CobroBooksNotCompared',
    what: 'the last comparison is made 27 hours older',
    begin: async ({ admin, reconcile }) => {
      await admin(`update payments.acquirer_reconciliation set finished_at = finished_at - interval '27 hours'`);
      return async () => void (await reconcile());
    },
  },
  {
    alert: 'CobroBooksDiffer',
    what: 'a payment’s row is changed by hand, and the books are compared',
    also: ['CobroEventsDiffer'],
    begin: async ({ oldPayment, admin, reconcile }) => {
      const change = (by: string) =>
        admin(`update payments.payment set amount = amount ${by} where id = '${oldPayment}'`);
      await change('+ 1');
      await reconcile();
      return async () => {
        await change('- 1');
        await agree(reconcile);
      };
    },
  },
  {
    alert: 'CobroBooksDiffer',
    what: 'an operation’s row is lost, and the books are compared',
    begin: async ({ oldPayment, admin, reconcile }) => {
      const row = `where subject_id = '${oldPayment}'`;
      await admin(`create table public.lost as select * from payments.bank_operation ${row};
        delete from payments.bank_operation ${row}`);
      await reconcile();
      return async () => {
        await admin('insert into payments.bank_operation select * from public.lost; drop table public.lost');
        await agree(reconcile);
      };
    },
  },
  {
    alert: 'CobroEventsDiffer',
    what: 'what a merchant is shown of a payment is lost, and the books are compared',
    begin: async ({ oldPayment, admin, reconcile }) => {
      const row = `where object_id = '${oldPayment}'`;
      await admin(`create table public.lost as select * from webhooks.event ${row}; delete from webhooks.event ${row}`);
      await reconcile();
      return async () => {
        await admin('insert into webhooks.event select * from public.lost; drop table public.lost');
        await agree(reconcile);
      };
    },
  },
  {
    alert: 'CobroCountersDiffer',
    what: 'a payment link is written by hand that does not count its payment, and the books are compared',
    begin: async ({ oldPayment, admin, reconcile }) => {
      const link = 'ffffffff-0000-7000-8000-000000000000';
      await admin(`insert into payments.payment_link (id, organization_id, request_digest, description, amount, currency,
          allowed_terms, created_at, updated_at)
        select '${link}', organization_id, '', 'Yoga', 100, 'MXN', '{1}', now(), now() from payments.payment where id = '${oldPayment}';
        update payments.payment set payment_link_id = '${link}' where id = '${oldPayment}'`);
      await reconcile();
      return async () => {
        await admin(`update payments.payment set payment_link_id = null where id = '${oldPayment}';
          delete from payments.payment_link where id = '${link}'`);
        await agree(reconcile);
      };
    },
  },
  {
    alert: 'CobroSweepBehind',
    what: 'the clock moves by eight days, and the bank declines every void',
    begin: async (parts) => {
      await parts.setBankFaults({ rates: { decline: 1 }, kinds: ['void'] });
      return letHoldExpire(parts);
    },
  },
  {
    alert: 'CobroSweepBehind',
    what: 'the clock moves by eight days, and the bank never says what became of a void',
    also: ['CobroOutcomesUnknown'],
    begin: async (parts) => {
      await parts.setBankFaults({ rates: { silentNotDone: 1 }, kinds: ['void', 'inquire'] });
      return letHoldExpire(parts);
    },
  },
];

async function agree(reconcile: Parts['reconcile']): Promise<void> {
  const left = await reconcile();
  if (left.length > 0) throw new Error(`the books still differ: ${left.join(' ')}`);
}

/** Places a hold and moves the clock past its window. Returns a function that ends the bank's faults and resets the clock. */
async function letHoldExpire({ merchant, stack, setBankFaults, moveClock }: Parts): Promise<() => Promise<void>> {
  const card = await saveCard(stack.baseUrl, merchant.apiKey, testCards.approved);
  await merchant.post(`/payment-method/${card}/payment`, { amount: 100, holdFunds: true });
  await moveClock({ advanceSeconds: 8 * 86_400 });
  return async () => {
    await setBankFaults({});
    await moveClock(undefined);
  };
}

/** Taps a card at a new terminal. */
async function tap(parts: Parts, code: string, number: string): Promise<void> {
  const tapCard = await terminalWithIntent(parts, code);
  await tapCard({ number, expirationMonth: 12, expirationYear: 2039 });
}
