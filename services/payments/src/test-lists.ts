import { type Database, sql } from '@cobro/postgres/database.ts';
import { foldLists } from './fold-lists.job.ts';

const digest = Buffer.from('digest');

/** A random second of one day, so that many rows share a time, and are not written in their order. */
export const someTime = sql`timestamptz '2026-11-20 12:00:00Z' + floor(random() * 86400) * interval '1 second'`;

export const insertLinks = (db: Database, organizationId: string, count: number) =>
  db.run(sql`
    insert into one_time_payment (
      id, organization_id, request_digest, status, description, amount, currency, expires_at, allowed_terms, created_at, updated_at
    )
    select gen_random_uuid(), ${organizationId}, ${digest}, (array['PENDING', 'PENDING', 'CONFIRMED', 'CANCELLED'])[1 + n % 4],
      'Two nights', 100, 'MXN', now(), array[1], ${someTime}, now()
    from generate_series(1, ${count}::int) as n`);

export const insertCards = (db: Database, organizationId: string, count: number) =>
  db.run(sql`
    insert into payment_method (
      id, organization_id, status, fingerprint, last_four_digits, network, funding_source, issuing_bank, expiration_month,
      expiration_year, created_at
    )
    select gen_random_uuid(), ${organizationId}, (array['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'REVOKED', 'PENDING'])[1 + n % 7],
      ${digest}, '4242', 'VISA', 'DEBIT', 'BBVA', 1 + n % 12, 2025 + n % 4, ${someTime}
    from generate_series(1, ${count}::int) as n`);

export const insertProducts = (db: Database, organizationId: string, count: number) =>
  db.run(sql`
    insert into product (id, organization_id, request_digest, status, name, price, currency, created_at, updated_at)
    select gen_random_uuid(), ${organizationId}, ${digest}, (array['ACTIVE', 'ACTIVE', 'ARCHIVED'])[1 + n % 3],
      'Talavera', 100, 'MXN', ${someTime}, now()
    from generate_series(1, ${count}::int) as n`);

export const insertPaymentLinks = (db: Database, organizationId: string, count: number) =>
  db.run(sql`
    insert into payment_link (
      id, organization_id, request_digest, description, amount, currency, allowed_terms, active, created_at, updated_at
    )
    select gen_random_uuid(), ${organizationId}, ${digest}, 'Yoga', 100, 'MXN', array[1], n % 3 > 0, ${someTime}, now()
    from generate_series(1, ${count}::int) as n`);

export const insertPayments = (db: Database, organizationId: string, card: string, count: number) =>
  db.run(sql`
    insert into payment (
      id, organization_id, payment_method_id, type, source, status, hold_funds, amount, currency, card, created_at
    )
    select gen_random_uuid(), ${organizationId}, ${card}, 'CARD_NOT_PRESENT', 'SAVED_CARD',
      (array['NOT_INITIALIZED', 'PENDING', 'CONFIRMED', 'HELD', 'CANCELLED'])[1 + n % 5], false, 100, 'MXN', '{}', ${someTime}
    from generate_series(1, ${count}::int) as n`);

const waiting = async (db: Database) =>
  (await db.one<{ changes: number }>(sql`select count(*)::int as changes from list_change`)).changes;

/** Folds until no change waits. */
export async function foldAll(db: Database): Promise<void> {
  do await foldLists({ db });
  while ((await waiting(db)) > 0);
}
