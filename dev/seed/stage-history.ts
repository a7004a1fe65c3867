import type pg from 'pg';
import type { Lanes } from './lanes.ts';
import type { SeededMerchant } from './merchants.ts';

/**
 * `history`: three years of payments of every kind. `holds`: holds placed a minute ago, which all close at the same 23:00.
 * `unanswered`: charges and holds of a minute ago whose outcome we do not know: the bank has approved or declined them, or never got
 * them.
 */
export type Staged = 'history' | 'holds' | 'unanswered';

/**
 * Makes up the payments in a schema of their own, one row each. The services' schemas and the bank's books are written from these rows, so
 * all have the same ids and times.
 */
export async function stageHistory(
  [client, other]: Lanes,
  merchants: SeededMerchant[],
  payments: number,
  what: Staged,
): Promise<void> {
  await client.query('drop schema if exists seed cascade; create schema seed');
  await client.query(helpers);
  const ids = merchants.map(({ organizationId }) => organizationId);
  await stageCards(client, ids);
  await stageTerminals(client, ids);
  const total = merchants.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  // The bounds between the merchants' shares, from 0 to 1.
  const limits = merchants.slice(0, -1).map(({ weight }) => (reached += weight / total));
  const before = await takeOperationCodes(client, payments);
  const rows = (first: number, last: number) => [payments, limits, ids, what, first, last, before];
  await client.query(`create unlogged table seed.staged as ${staged} with no data`, rows(1, 1));
  const half = Math.ceil(payments / 2);
  await Promise.all([
    client.query(`insert into seed.staged ${staged}`, rows(1, half)),
    other.query(`insert into seed.staged ${staged}`, rows(half + 1, payments)),
  ]);
  await client.query(`create unique index on seed.staged (n); analyze seed.staged; ${withItsCard}`);
}

/** Adds what all payments of a card share; written into each row it would double them. Statements that need none of it read `staged`. */
const withItsCard = `
  create view seed.payment as
  select staged.*, card.saved_by, card.facts, card.billing, card.network, card.funding_source, card.issuing_bank, card.last_four_digits,
    card.acquirer, rates.rates, rates.fee_bps, rates.promotion_fee_discount_bps, rates.promotion_business_take_bps,
    terminal.serial_number, terminal.branch_id, terminal.salesperson_id
  from seed.staged
  join seed.card on card.id = card_id
  join seed.rates on (rates.organization_id, rates.type, rates.terms) = (staged.organization_id, staged.type, staged.terms)
  left join seed.terminal on terminal.id = terminal_id`;

/** Takes `count` successive codes that no service has or will get. @returns the code before the first */
async function takeOperationCodes(client: pg.Client, count: number): Promise<number> {
  await client.query('begin');
  // Changes nothing, but other sessions wait for the commit before they get a code.
  await client.query('alter sequence payments.operation_code increment by 1');
  const { rows } = await client.query<{ first: string }>(`select nextval('payments.operation_code') as first`);
  const before = Number(rows[0]?.first) - 1;
  await client.query(`select setval('payments.operation_code', $1)`, [before + count]);
  await client.query('commit');
  return before;
}

/** The bank's reference of a staged charge or hold, in SQL. */
export const madeReference = `case when by_hold then 'aut_' else 'sal_' end || made_by`;

const helpers = `
  -- Each is one expression and promises no more than what it is made of, so that Postgres writes it in where it is called.
  -- A UUID v7 of that time, as the services make them.
  create function seed.id_of(at timestamptz) returns uuid language sql volatile as $$
    select ('0' || to_hex((date_part('epoch', at) * 1000)::bigint) || '7' || substr(gen_random_uuid()::text, 16))::uuid
  $$;

  create function seed.iso(at timestamptz) returns text language sql stable as $$
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  $$;

  -- 23:00 in Mexico City of the seventh natural day. The last three years have been UTC-6 throughout.
  create function seed.closes(at timestamptz) returns timestamptz language sql stable as $$
    select (at at time zone interval '-06:00')::date::timestamp at time zone interval '-06:00' + interval '6 days 23 hours'
  $$;

  create function seed.approved(reference text, at timestamptz, auth_code text) returns jsonb language sql stable as $$
    select jsonb_build_object('bankReference', reference, 'authCode', auth_code, 'resultCode', '00',
      'rawResponseText', 'APROBADA', 'authResult', 'APPROVED', 'createdAt', seed.iso(at))
  $$;`;

/** The cards of each merchant, numbered from 0. */
async function stageCards(client: pg.Client, merchants: string[]): Promise<void> {
  await client.query(
    `create unlogged table seed.card as
     select card.organization_id, (row_number() over (partition by card.organization_id order by card.id) - 1)::int as position,
       (count(*) over (partition by card.organization_id))::int as cards, card.id, card.billing,
       card.network, card.funding_source, card.issuing_bank, card.last_four_digits, card.acquirer,
       jsonb_build_object('lastFourDigits', card.last_four_digits, 'network', card.network, 'fundingSource', card.funding_source,
         'issuingBank', card.issuing_bank, 'entryMode', null) as facts,
       saved.id as saved_by
     from payments.payment_method as card
     join payments.bank_operation as saved on saved.subject_id = card.id and saved.purpose = 'save' and saved.status = 'approved'
     where card.status = 'ACTIVE' and card.organization_id = any($1)`,
    [merchants],
  );
  await client.query(`
    create unlogged table seed.rates as
    select distinct on (organization_id, type, terms) organization_id, type, terms, fee_bps, promotion_fee_discount_bps, promotion_business_take_bps,
      jsonb_build_object('feeBps', fee_bps, 'promotionFeeDiscountBps', promotion_fee_discount_bps,
        'promotionBusinessTakeBps', promotion_business_take_bps) as rates
    from payments.fee_channel where network is null and funding_source is null
    order by organization_id, type, terms`);
  await client.query(
    `create unique index on seed.card (organization_id, position); create unique index on seed.card (id); analyze seed.card;
     create unique index on seed.rates (organization_id, type, terms); analyze seed.rates`,
  );
}

/** The terminals of each merchant that has some, numbered from 0. */
async function stageTerminals(client: pg.Client, merchants: string[]): Promise<void> {
  await client.query(
    `create unlogged table seed.terminal as
     select organization_id, (row_number() over (partition by organization_id order by id) - 1)::int as position,
       (count(*) over (partition by organization_id))::int as terminals, id, serial_number, branch_id, salesperson_id
     from intents.terminal where organization_id = any($1)`,
    [merchants],
  );
  await client.query(
    `create unique index on seed.terminal (organization_id, position); create unique index on seed.terminal (id); analyze seed.terminal`,
  );
}

/**
 * Lives of payments: charged, declined, refunded, captured, captured_refunded, released, expired, held; lost, which means that the bank
 * never got the request. A payment too young for its end is still held, or charged. Business grows, so the newer half of the time has two
 * thirds of the payments.
 */
const staged = `
  with drawn as (
    select n, made, now() as today, ($3::uuid[])[1 + width_bucket(random(), $2::float8[])] as organization_id,
      random() as of_life, random() as of_amount, random() as of_size, random() as of_card,
      case when $4 = 'history' then random() else 1 end as of_source, random() as of_time
    from (
      select n, date_trunc('milliseconds', now() - interval '1 minute' - age * (1 - power(n::float8 / $1::int, 0.625))) as made
      from generate_series($5::int, $6::int) as n, (
        select case when $4::text = 'history' then interval '3 years' else interval '1 minute' end as age
      ) as oldest
      offset 0
    ) as timed
    offset 0
  ), lived as (
    select *,
      case
        when $4 = 'holds' then 'held'
        when $4 = 'unanswered'
          then case when of_life < 0.6 then 'charged' when of_life < 0.7 then 'declined' when of_life < 0.85 then 'held' else 'lost' end
        when of_life < 0.72 then 'charged'
        when of_life < 0.80 then 'declined'
        when of_life < 0.84 then case when made < today - interval '30 days' then 'refunded' else 'charged' end
        when made > today - interval '6 days' and seed.closes(made) > today + interval '10 minutes' then 'held'
        when of_life < 0.93 and of_life >= 0.92 and made < today - interval '30 days' then 'captured_refunded'
        when of_life >= 0.93 and of_life < 0.96 then 'released'
        when of_life >= 0.96 and of_life < 0.98 and made < today - interval '8 days' then 'expired'
        else 'captured'
      end as life,
      case
        when of_amount < 0.35
          then (array[50, 99, 100, 150, 199, 200, 250, 299, 350, 499, 500, 750, 999, 1000, 1499])[1 + floor(of_size * 15)::int] * 100::bigint
        else 1000 + floor(exp(5 + 7 * of_size))::bigint
      end as amount
    from drawn
    offset 0
  ), placed as (
    select lived.*, terminal.id as terminal_id,
      of_source < 0.35 and life in ('charged', 'declined', 'refunded') as by_link,
      of_source >= 0.35 and of_source < 0.55 and life in ('charged', 'declined', 'refunded') and terminal.id is not null as by_tap
    from lived left join seed.terminal
      on terminal.organization_id = lived.organization_id and terminal.position = floor(lived.of_time * terminal.terminals)
  ), sourced as (
    select placed.*, card.id as card_id,
      case when by_tap then 'CARD_PRESENT' else 'CARD_NOT_PRESENT' end as type,
      case when by_tap then (array['CHIP', 'CONTACTLESS', 'CONTACTLESS', 'MAGNETIC_STRIPE'])[1 + floor(of_card * 4)::int] end as entry_mode,
      case
        when (by_link and of_source < 0.17 or by_tap and of_source < 0.4) and card.funding_source = 'CREDIT'
          then (array[3, 3, 6, 6, 9, 12])[1 + floor(of_time * 6)::int]
        else 1
      end as terms,
      life in ('held', 'captured', 'captured_refunded', 'released', 'expired') as by_hold,
      made + interval '800 milliseconds' as said_at,
      upper(lpad(to_hex(floor(of_card * 16777216)::int), 6, '0')) as auth_code
    from placed join seed.card on card.organization_id = placed.organization_id and card.position = floor(placed.of_card * card.cards)
    offset 0
  )
  select n, organization_id, made, life, amount, said_at, auth_code, by_link, by_tap, by_hold, type, entry_mode, terms, card_id,
    case when by_tap then terminal_id end as terminal_id,
    seed.id_of(made) as id, seed.id_of(made) as made_by, seed.id_of(made) as ended_by, seed.id_of(made) as refunded_by,
    case when by_link then seed.id_of(made - interval '5 minutes') end as link_id,
    case when by_tap then seed.id_of(made - interval '20 seconds') end as intent_id,
    $7::bigint + n as operation_code,
    case when by_hold then seed.closes(said_at) end as expires_at,
    case when life in ('captured', 'captured_refunded') then said_at + date_trunc('milliseconds', of_time * interval '4 days') end as captured_at,
    case when life in ('captured', 'captured_refunded') then case when of_amount < 0.5 then amount else greatest(1, amount * 2 / 3) end end as captured_amount,
    case life
      when 'released' then said_at + date_trunc('milliseconds', of_time * interval '4 days')
      when 'expired' then seed.closes(said_at) + interval '11 seconds'
    end as released_at,
    case when life in ('refunded', 'captured_refunded') then said_at + interval '5 days' + date_trunc('milliseconds', of_time * interval '15 days') end as refunded_at,
    case when life = 'declined' then case when of_time < 0.6 then 'do_not_honor' else 'insufficient_funds' end end as decline_code
  from sourced
  order by n`;
