import type pg from 'pg';
import { inTransactions, type Lanes } from './lanes.ts';
import { madeReference as made } from './stage-history.ts';
import { paymentLinks } from './write-payment-links.ts';
import { products } from './write-products.ts';
import { promotions } from './write-promotions.ts';
import { subscriptions } from './write-subscriptions.ts';

/**
 * Writes the staged payments into the schemas of payments, intents and holds, and at the same time into reporting's, whose tallies are made
 * on the first connection, because its indexes keep the other one busy.
 */
export function writeHistory([client, other]: Lanes, done: (what: string) => void): Promise<void> {
  return inTransactions(
    [
      client,
      async (tx) => {
        const byHand = await withoutTriggers(tx);
        // Waits for the job that counts lists: it reads tables that are locked below, and holds the tallies that are locked last.
        await tx.query("select pg_advisory_xact_lock(hashtextextended('payments.list_tally', 0))");
        const tables = ['payments.one_time_payment', 'payments.payment', 'payments.bank_operation'];
        await withoutIndexes(tx, tables, [links, payments, operations]);
        for (const statement of [
          products,
          paymentLinks,
          promotions,
          subscriptions,
          intents,
          attempts,
          holds,
          operationsOfHolds,
        ])
          await tx.query(statement);
        done('payments, intents and holds have them');
        // If triggers could not be switched off, they note each payment, and payments and reporting count it later.
        if (!byHand) return;
        await tx.query('select payments.count_lists_anew()');
        await tx.query(tallies);
        done('reporting counts them');
      },
    ],
    [
      other,
      async (tx) => {
        const byHand = await withoutTriggers(tx);
        await withoutIndexes(tx, ['reporting.payment'], [projections]);
        if (byHand) await tx.query('set local search_path = reporting; select complete_day_sums()');
        done('reporting has them');
      },
    ],
  );
}

/** Switches triggers off, which only a superuser may do. The rows satisfy foreign keys anyway, and tallies are counted at the end. */
async function withoutTriggers(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    'select rolsuper as may from pg_roles where rolname = current_user',
  );
  if (rows[0]?.may !== true) return false;
  await client.query('set local session_replication_role = replica');
  return true;
}

/** How to drop and restore the indexes of these tables that are not unique. */
const indexes = `
  select format('drop index %s', indexrelid::regclass) as remove, pg_get_indexdef(indexrelid) as restore
  from pg_index where indrelid = any($1::regclass[]) and not indisunique`;

/** Building an index over all rows is many times faster than putting each row into it. The tables are locked until the end. */
async function withoutIndexes(client: pg.Client, tables: string[], statements: string[]): Promise<void> {
  const { rows } = await client.query<{ remove: string; restore: string }>(indexes, [tables]);
  const all = [...rows.map(({ remove }) => remove), ...statements, ...rows.map(({ restore }) => restore)];
  for (const statement of all) await client.query(statement);
}

const links = `
  insert into payments.one_time_payment (
    id, organization_id, request_digest, status, description, amount, currency, expires_at, allowed_terms, created_at, updated_at, version
  )
  select link_id, organization_id, sha256(link_id::text::bytea), case life when 'declined' then 'PENDING' else 'CONFIRMED' end,
    'Pedido ' || operation_code, amount, 'MXN', made - interval '5 minutes' + interval '1 day', array[1, 3, 6, 9, 12],
    made - interval '5 minutes', said_at, 2
  from seed.staged where by_link`;

const source = `case when by_link then 'ONE_TIME_PAYMENT' when by_tap then 'PAYMENT_INTENT' else 'SAVED_CARD' end`;
const bySavedCard = 'not by_link and not by_tap';
const cardOf = `case when ${bySavedCard} then card_id end`;
export const externalId = `case when ${bySavedCard} and n % 5 < 3 then 'order-' || operation_code end`;
/** Where a card was presented. */
const assignment = 'terminal_id, salesperson_id, branch_id';
const billing = `case when not by_tap then billing end`;

/** The bank's answer to the charge or hold. */
const transaction = `
    case
      when decline_code is null then seed.approved(${made}, said_at, auth_code)
      else jsonb_build_object('bankReference', ${made}, 'authCode', null,
        'resultCode', case decline_code when 'do_not_honor' then '05' else '51' end,
        'rawResponseText', case decline_code when 'do_not_honor' then 'DECLINADA' else 'FONDOS INSUFICIENTES' end,
        'authResult', 'DECLINED', 'createdAt', seed.iso(said_at))
    end`;

/** The payment's status, in payments, reporting and intents. */
const status = `
    case life
      when 'charged' then 'CONFIRMED' when 'captured' then 'CONFIRMED' when 'declined' then 'CANCELLED' when 'held' then 'HELD'
      when 'released' then 'HOLD_RELEASED' when 'expired' then 'HOLD_EXPIRED' else 'REFUNDED'
    end`;

const payments = `
  insert into payments.payment (
    id, organization_id, payment_method_id, one_time_payment_id, payment_intent_id, ${assignment}, type, source, status, hold_funds, amount, held_amount,
    currency, external_id, operation_code, terms, rates, card, billing, acquirer, bank_reference, capture_reference, decline_code, bank_transaction,
    created_at, held_at, hold_expires_at, captured_at, hold_released_at, refunded_at, version
  )
  select id, organization_id, ${cardOf}, link_id, intent_id, ${assignment}, type, ${source},${status},
    by_hold, coalesce(captured_amount, amount), case when by_hold then amount end, 'MXN', ${externalId}, operation_code, terms, rates,
    case when by_tap then jsonb_set(facts, '{entryMode}', to_jsonb(entry_mode)) else facts end, ${billing}, acquirer, case when life <> 'declined' then ${made} end, case when captured_at is not null then 'cap_' || ended_by end, decline_code,
    ${transaction}, made, case when by_hold then said_at end, expires_at, captured_at, released_at, refunded_at,
    2 + num_nonnulls(captured_at, released_at, refunded_at)
  from seed.payment`;

const answered = (reference: string, at: string) => `
  jsonb_build_object('outcome', 'approved', 'reference', ${reference}, 'time', seed.iso(${at}), 'authCode', auth_code, 'resultCode', '00',
    'text', 'APROBADA')`;

const declined = `
  jsonb_build_object('outcome', 'declined', 'declineCode', decline_code, 'reference', ${made}, 'time', seed.iso(said_at), 'authCode', null,
    'resultCode', case decline_code when 'do_not_honor' then '05' else '51' end,
    'text', case decline_code when 'do_not_honor' then 'DECLINADA' else 'FONDOS INSUFICIENTES' end)`;

const operations = `
  insert into payments.bank_operation (id, acquirer, purpose, subject_id, amount, status, claimed_at, inquire_at, answer, settled_at)
  select made_by, acquirer, case when by_hold then 'hold' else 'charge' end, staged.id, amount,
    case when decline_code is null then 'approved' else 'declined' end, made, made + interval '9 seconds',
    case when decline_code is null then ${answered(made, 'said_at')} else ${declined} end, said_at
  from seed.staged join seed.card on card.id = card_id
  union all
  select refunded_by, acquirer, 'refund', staged.id, coalesce(captured_amount, amount), 'approved', refunded_at - interval '1 second',
    refunded_at + interval '8 seconds', ${answered(`'ref_' || refunded_by`, 'refunded_at')}, refunded_at
  from seed.staged join seed.card on card.id = card_id where refunded_at is not null`;

const asked = `made - interval '20 seconds'`;
const expires = `${asked} + interval '15 minutes'`;
/** A declined tap leaves its intent open, until it is cancelled because its time is over. */
const intents = `
  insert into intents.payment_intent (
    id, organization_id, external_id, terminal_code, terminal_id, amount, currency, status, payment_id, payment_status, operation_code, trace,
    created_at, expires_at, updated_at, version
  )
  select intent_id, organization_id, 'sale-' || operation_code, serial_number, terminal_id, amount, 'MXN',
    case life when 'declined' then 'CANCELLED' else 'CONFIRMED' end, id,
    ${status}, operation_code, '{}',
    ${asked}, ${expires}, case life when 'declined' then ${expires} else said_at end,
    case life when 'declined' then 4 else 3 end
  from seed.payment where by_tap`;

const attempts = `
  insert into intents.intent_attempt (
    intent_id, attempt_id, terminal_id, request_digest, status, payment_id, operation_code, decline_code, last_four_digits, network, requested_at
  )
  select intent_id, gen_random_uuid(), terminal_id, sha256(intent_id::text::bytea), case life when 'declined' then 'DECLINED' else 'CONFIRMED' end,
    id, operation_code, decline_code, last_four_digits, network, made
  from seed.payment where by_tap`;

const holds = `
  insert into holds.hold (
    payment_id, organization_id, payment_method_id, status, held_amount, captured_amount, acquirer, bank_reference, rates, shown,
    held_at, expires_at, captured_at, released_at, bank_transaction, version
  )
  select id, organization_id, card_id,
    case life when 'held' then 'HELD' when 'released' then 'RELEASED' when 'expired' then 'EXPIRED' else 'CAPTURED' end,
    amount, captured_amount, acquirer, ${made}, rates,
    jsonb_build_object('createdAt', seed.iso(made), 'currency', 'MXN', 'externalId', ${externalId}), said_at, expires_at, captured_at, released_at,
    case when captured_at is not null then seed.approved('cap_' || ended_by, captured_at, auth_code) end,
    1 + num_nonnulls(captured_at, released_at)
  from seed.payment where by_hold`;

const operationsOfHolds = `
  insert into holds.bank_operation (id, acquirer, purpose, subject_id, amount, status, claimed_at, inquire_at, answer, settled_at)
  select ended_by, acquirer, case life when 'released' then 'release' when 'expired' then 'expire' else 'capture' end, staged.id, captured_amount, 'approved',
    coalesce(captured_at, released_at) - interval '1 second', coalesce(captured_at, released_at) + interval '8 seconds',
    ${answered(`case when captured_at is null then 'voi_' else 'cap_' end || ended_by`, 'coalesce(captured_at, released_at)')},
    coalesce(captured_at, released_at)
  from seed.staged join seed.card on card.id = card_id where captured_at is not null or released_at is not null`;

/** The disbursement, as libs/domain computes it. The test compares both. */
const disbursed = `
  select jsonb_build_object(
    'feePercentage', fee_bps, 'promotionFeeDiscount', promotion_fee_discount_bps,
    'finalFeePercentageForMerchant', fee_bps - promotion_fee_discount_bps,
    'finalFeePercentageForManufacturer', promotion_fee_discount_bps, 'promotionBusinessTake', promotion_business_take_bps,
    'feeAmount', fee, 'merchantFeeAmount', merchant_fee, 'manufacturerFeeAmount', fee - merchant_fee,
    'merchantIvaFeeAmount', merchant_iva, 'manufacturerIvaFeeAmount', manufacturer_iva, 'totalFeeIva', merchant_iva + manufacturer_iva,
    'promotionTakeAmount', take, 'merchantTakeAmount', moved - merchant_fee - merchant_iva - take,
    'manufacturerTakeAmount', take - (fee - merchant_fee) - manufacturer_iva
  ) as disbursement
  from (
    select *, (merchant_fee * 1600 + 5000) / 10000 as merchant_iva, ((fee - merchant_fee) * 1600 + 5000) / 10000 as manufacturer_iva
    from (
      select (moved * fee_bps + 5000) / 10000 as fee, (moved * (fee_bps - promotion_fee_discount_bps) + 5000) / 10000 as merchant_fee,
        (moved * promotion_business_take_bps + 5000) / 10000 as take
    ) as fees
  ) as with_iva`;

const projections = `
  insert into reporting.payment (
    id, organization_id, created_at, listed_at, type, source, operation_code, external_id, currency, placed_amount, terms, rates,
    last_four_digits, network, funding_source, issuing_bank, entry_mode, billing, payment_method_id, one_time_payment_id, payment_intent_id, acquirer, ${assignment},
    transaction, confirmed_at,
    declined_at, decline_code, held_at, hold_expires_at, captured_at, captured_amount, capture_transaction, released_at, expired_at, refunded_at,
    disbursement
  )
  select id, organization_id, made, said_at + interval '20 milliseconds', type, ${source}, operation_code, ${externalId}, 'MXN',
    amount, terms, rates, last_four_digits, network, funding_source, issuing_bank, entry_mode, ${billing}, ${cardOf}, link_id, intent_id, acquirer, ${assignment},
    ${transaction}, case when life in ('charged', 'refunded') then said_at end, case when life = 'declined' then said_at end,
    decline_code, case when by_hold then said_at end, expires_at, captured_at, captured_amount,
    case when captured_at is not null then seed.approved('cap_' || ended_by, captured_at, auth_code) end,
    case when life = 'released' then released_at end, case when life = 'expired' then released_at end, refunded_at, disbursement
  from (
    select *, case when life in ('charged', 'refunded') then amount else captured_amount end as moved from seed.payment
  ) as paid
  left join lateral (${disbursed}) as disbursed on moved is not null`;

/** Days are counted first, and months from the days. */
const tallies = `
  insert into reporting.payment_tally as tally (organization_id, span, starts, status, type, terms, issuing_bank, payments)
  select organization_id, span, case span when 'month' then date_trunc('month', day::timestamp)::date else day end as starts,
    status, type, terms, issuing_bank, sum(payments)
  from (
    select organization_id, (made at time zone interval '-06:00')::date as day, ${status} as status, type, terms, issuing_bank,
      count(*) as payments
    from seed.payment
    group by 1, 2, 3, 4, 5, 6
  ) as days
  cross join unnest(array['month', 'day']) as span
  group by 1, 2, 3, 4, 5, 6, 7
  on conflict (organization_id, span, starts, status, type, terms, issuing_bank) do update
    set payments = tally.payments + excluded.payments`;
