import { createClient } from '@cobro/client/merchant.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, sql } from '@cobro/postgres/database.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import { disagreementsAfter } from '@cobro/testing/agreement.ts';
import { wrongCounts } from '@cobro/testing/reporting-counts.ts';
import { booksOf } from '../../bench/open-books.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { tablesOf } from '../e2e/hiding-places.ts';
import { windowEnd } from '../model/model.ts';
import { counted, strange } from '../sick/felt.ts';
import { brokenContractsOf, parked } from '../sick/left-behind.ts';
import type { Receivers } from '../sick/receivers.ts';
import type { Ended, Line } from './client.ts';
import { type Known, microseconds, type Part } from './history.ts';
import type { Messages } from './messages.ts';
import type { Floor, Shop } from './shop.ts';
import { approvedCharges, chargedOftener } from './charges.ts';
import { leftOut, periodsChargedTwice, untilTended } from './subscription-balance.ts';
import { brokenTraces } from './traces.ts';

/** What was wrong at the end, by the check's name. */
export type Findings = Record<string, string[]>;

export interface Balanced {
  stack: Stack;
  floor: Floor;
  shops: readonly Shop[];
  /** Absent if no event is sent to merchants' systems. */
  receivers?: Receivers;
  line: Line;
  /** How long the books may take to agree and events to arrive. */
  withinMs: number;
  messages: Messages;
  /** No fault was in effect since then. */
  calmSince: Date;
}

/** Checks everything that must hold after the faults have ended. */
export async function findImbalance(given: Balanced): Promise<Findings> {
  const { stack, floor, line, shops, receivers, withinMs, messages, calmSince } = given;
  const { open, close } = booksOf(stack);
  const books = open();
  const { payments, holds, reporting } = books;
  try {
    const untended = await untilTended(payments, floor, withinMs);
    const agreed = disagreementsAfter(books, withinMs);
    const [unbalanced, events] = await Promise.all([agreed, receivers?.wrongAfter(withinMs) ?? []]);
    return {
      books: unbalanced,
      ...(receivers && { events }),
      parked: await parked(stack),
      charged: await chargedTwice(payments, stack),
      asked: (await Promise.all([payments, holds].map(askedInVain))).flat(),
      periods: [
        ...untended,
        ...(await periodsChargedTwice(payments, stack)),
        ...(await leftOut(floor, line.client(0))),
      ],
      answered: await missing(payments, floor),
      pending: await unsettled(payments),
      walked: (await Promise.all(shops.map((shop) => lostOnWalk(stack, payments, shop)))).flat(),
      counts: await wrongCounts(reporting),
      contracts: counted(brokenContractsOf(stack)),
      strange: counted(line.ended.map(strangeAnswer)),
      traces: await brokenTraces(stack.spansFile, calmSince),
      cards: await showNumbers(stack, messages, floor.numbers),
    };
  } finally {
    await close();
  }
}

/** By the acquirers' books, no externalId was charged twice. */
async function chargedTwice(payments: Database, stack: Stack): Promise<string[]> {
  const named = await payments.many<{ operation: string; key: string }>(sql`
    select operation.id as operation, concat_ws(' ', organization_id, external_id) as key
    from bank_operation as operation join payment on payment.id = subject_id where external_id is not null`);
  return chargedOftener(await approvedCharges(stack), named).map(([key, times]) => `${key} was charged ${times} times`);
}

/** Decline codes of requests that nobody sends who knows the payment's state. */
const DECIDED = [
  'already_captured',
  'already_voided',
  'not_captured',
  'amount_exceeds_authorization',
  'amount_exceeds_captured',
  'unknown_reference',
];

/** By their answers, acquirers were asked for nothing that was decided before. */
async function askedInVain(database: Database): Promise<string[]> {
  const asked = await database.many<{ purpose: string; of: string; why: string }>(sql`
    select purpose, subject_id as of, answer ->> 'declineCode' as why from bank_operation
    where status = 'declined' and answer ->> 'declineCode' = any(${DECIDED})`);
  return asked.map(({ purpose, of, why }) => `the ${purpose} of ${of} was asked for, and is ${why}`);
}

async function missing(payments: Database, { answered }: Floor): Promise<string[]> {
  const rows = await payments.many<{ id: string }>(sql`select id from payment where id = any(${[...answered]})`);
  const kept = new Set(rows.map(({ id }) => id));
  return [...answered].filter((id) => !kept.has(id)).map((id) => `payment ${id} was answered and is not there`);
}

async function unsettled(payments: Database): Promise<string[]> {
  const open = await payments.many<{ id: string }>(sql`select id from payment where status = 'PENDING'`);
  return open.map(({ id }) => `payment ${id} is still PENDING`);
}

/** A walk through the Developer API's list meets each payment once. */
async function lostOnWalk({ baseUrl }: Stack, payments: Database, { apiKey, card }: Shop): Promise<string[]> {
  const met: string[] = [];
  for await (const { id } of createClient({ baseUrl, apiKey }).developer.list({ limit: 20 })) met.push(id);
  const rows = await payments.many<{ id: string }>(sql`
    select id from payment where status not in ('NOT_INITIALIZED', 'PENDING')
      and organization_id = (select organization_id from payment_method where id = ${card})`);
  const once = new Set(met);
  return [
    ...rows.filter(({ id }) => !once.has(id)).map(({ id }) => `the walk did not meet payment ${id}`),
    ...(met.length > once.size ? [`the walk met ${met.length - once.size} payments twice`] : []),
  ];
}

/** Reads, and requests that create a part. No model sees their refusals. */
const NEVER_REFUSED = /^(GET|POST \/(one-time-payment|payment-link|product)$)/;
const MAY_BE_REFUSED = new Set([404, 429]);

function strangeAnswer(one: Ended): string | undefined {
  const { status, what } = one;
  // Its process was killed.
  if (status === 0) return undefined;
  // The models judge all other answers below 500.
  const isForModels = status < 400 || !NEVER_REFUSED.test(what) || MAY_BE_REFUSED.has(status);
  if (status < 500 && status !== 202 && isForModels) return undefined;
  return strange({ ...one, reads: what.startsWith('GET') }, false);
}

/** Card numbers in logs, spans, messages and in the database. */
async function showNumbers(stack: Stack, messages: Messages, numbers: ReadonlySet<string>): Promise<string[]> {
  const found = new Set<string>();
  const look = (where: string, text: string) => {
    for (const [digits] of text.matchAll(/(?<![\d.])\d{15,16}(?!\d)/g))
      if (numbers.has(digits)) found.add(`a card number in ${where}`);
  };
  for (const file of readdirSync(stack.logFolder).filter((name) => /\.(log|jsonl)$/.test(name)))
    look(file, readFileSync(join(stack.logFolder, file), 'utf8'));
  const read = await messages.read((message) => look('a message', message));
  for (const { where, text } of await tablesOf(stack, '[0-9]{15}')) look(`the ${where}`, text);
  return [...found, ...(read === 0 ? ['no message has been seen'] : [])];
}

/** Reads everything once more, so that the histories also contain the outcome of open requests and the ends of hold windows. */
export async function noteLast({ databaseUrl }: Stack, { history, windows }: Floor): Promise<void> {
  const note = (part: Part, out: Known, known: Known = {}) => {
    const start = microseconds();
    history.note({ ...part, client: 0, op: 'read', in: known, start, end: start, answer: '200', out });
  };
  await withClient({ connectionString: databaseUrl }, async (client) => {
    const { rows } = await client.query<{
      part: string;
      status: string;
      amount: string;
      held: string | null;
      at: Date | null;
    }>(`
      select external_id as part, status, amount, held_amount as held, held_at as at from payments.payment
      where external_id like 'chaos-%' and status <> 'NOT_INITIALIZED'`);
    for (const { part, status, amount, held, at } of rows) {
      const shown = { status, amount: Number(amount), held: held === null ? undefined : Number(held) };
      note({ model: 'payment', part }, shown);
      if (at !== null) windows.set(part, windowEnd(at.toISOString()));
    }
    const links = await client.query<{ part: string; status: string }>(
      `select id as part, status from payments.one_time_payment`,
    );
    for (const { part, status } of links.rows) note({ model: 'link', part }, { status });
    const intents = await client.query<{ part: string; id: string; status: string }>(`
      select serial_number as part, external_id as id, status from intents.payment_intent
        join intents.terminal on terminal.id = terminal_id`);
    for (const { part, id, status } of intents.rows) note({ model: 'terminal', part }, { status }, { id });
    const products = await client.query<{ id: string; stock: number }>(
      `select id, stock from payments.product where stock is not null`,
    );
    for (const { id, stock } of products.rows) note({ model: 'counter', part: `product ${id}` }, { amount: stock });
    const limited = await client.query<{ id: string; left: number }>(`
      select id, max_payments - payments_count as left from payments.payment_link where max_payments is not null`);
    for (const { id, left } of limited.rows) note({ model: 'counter', part: `payment link ${id}` }, { amount: left });
  });
}
