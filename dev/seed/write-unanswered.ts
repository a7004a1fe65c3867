import type pg from 'pg';
import { inTransactions } from './lanes.ts';
import { externalId } from './write-history.ts';

/**
 * Writes the staged payments as a long outage of the bank leaves them: PENDING, each with an open operation whose next inquiry, after six
 * in vain, is up to 64 s away.
 */
export async function writeUnanswered(client: pg.Client, done: (what: string) => void): Promise<void> {
  await inTransactions([
    client,
    async (tx) => {
      for (const statement of [payments, operations]) await tx.query(statement);
    },
  ]);
  done('payments has them');
}

const payments = `
  insert into payments.payment (
    id, organization_id, payment_method_id, type, source, status, hold_funds, amount, currency, external_id, operation_code, terms, rates,
    card, billing, acquirer, created_at, version
  )
  select id, organization_id, card_id, 'CARD_NOT_PRESENT', 'SAVED_CARD', 'PENDING', by_hold, amount, 'MXN', ${externalId}, operation_code,
    terms, rates, facts, billing, acquirer, made, 1
  from seed.payment`;

const operations = `
  insert into payments.bank_operation (id, acquirer, purpose, subject_id, amount, status, claimed_at, unanswered_at, inquiries, inquire_at)
  select made_by, acquirer, case when by_hold then 'hold' else 'charge' end, id, amount, 'open', made, made + interval '8 seconds', 6,
    clock_timestamp() + random() * interval '64 seconds'
  from seed.payment`;
