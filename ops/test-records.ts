import { sql } from '@cobro/postgres/database.ts';
import { EXAMPLE_ID } from '@cobro/service-kit/admin-command.ts';

/** The records that the examples of commands on payments name. */
export const recordsOfPayments = [
  sql`insert into fee_channel (organization_id, type, network, terms, fee_bps)
      values (${EXAMPLE_ID}, 'CARD_NOT_PRESENT', 'VISA', 3, 350) on conflict do nothing`,
  sql`insert into payment_method (id, organization_id, status, fingerprint, last_four_digits, network, funding_source,
        issuing_bank, expiration_month, expiration_year, created_at)
      values (${EXAMPLE_ID}, ${EXAMPLE_ID}, 'ACTIVE', '', '4242', 'VISA', 'CREDIT', 'BANORTE', 12, 2039, now())
      on conflict do nothing`,
  sql`insert into subscription (
        id, organization_id, request_digest, payment_method_id, amount, currency, periodicity, first_billing_date,
        is_started, wake_at, created_at, updated_at)
      values (${EXAMPLE_ID}, ${EXAMPLE_ID}, '', ${EXAMPLE_ID}, 100, 'MXN', 'MONTHLY', '2026-01-31', true, now(), now(), now())
      on conflict do nothing`,
  sql`insert into promotion (id, organization_id, request_digest, name, fee_discount_bps, business_take_bps, terms, types,
        networks, issuing_banks, product_ids, partner_id, partner_name, starts_at, ends_at, created_at, updated_at)
      values (${EXAMPLE_ID}, ${EXAMPLE_ID}, '', 'Buen Fin', 0, 100, '{}', '{}', '{}', '{}', '{}', ${EXAMPLE_ID}, 'Ventas',
        now(), now() + interval '1 day', now(), now()) on conflict do nothing`,
];
