import { summaryOf } from '@cobro/postgres/sql.ts';
import { expect, test } from '@jest/globals';
import { makeMerchants } from '../../bench/merchants.ts';
import { recordPairs, unitsOf } from '../../bench/recorded-pair.ts';
import type { LoggedStatement } from '../../bench/statement-log.ts';
import type { StackUnderTest } from './stack-under-test.ts';

const WRITES = /\b(insert into|update \w+\s+set|delete from)\b/;
const isOfRelay = (unit: LoggedStatement[]) => unit.some(({ text }) => text.includes("'synchronous_commit', 'off'"));

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7/;
/** The relay looks each second, and names the events that are being published. */
const isLookOfRelay = (unit: LoggedStatement[]) => unit.some(({ text }) => text.includes('exists (select from outbox'));
/** Other timed work names no id. A second copy of an event finds the first, so it does nothing and is left out. */
const isOfPair = (unit: LoggedStatement[]) =>
  !isLookOfRelay(unit) &&
  (isOfRelay(unit) || unit.some(({ values }) => values.some((value) => UUID.test(value ?? '')))) &&
  !(unit.length === 3 && unit[1]?.text.includes('insert into inbox'));

/** A merchant may wait for work of payments and holds, except publishing. */
const isWaitedFor = (unit: LoggedStatement[]) => /_(payments|holds)$/.test(unit[0]?.user ?? '') && !isOfRelay(unit);

function costOf(units: LoggedStatement[][]) {
  const writing = units.filter((unit) => unit.some(({ text }) => WRITES.test(text)));
  return {
    /** Includes each `begin` and `commit`. */
    statements: units.flat().length,
    transactions: units.length,
    /** Commits to disk for which a merchant may wait. */
    commits: writing.filter(isWaitedFor).length,
  };
}

/** Names a single statement, such as `holds: claim hold`. */
const named = ([{ user, text }]: [LoggedStatement]) => `${user.replace(/.*_/, '')}: ${summaryOf(text)}`;

/** The pause after a hold. Without it holds asks payments for the hold, which the broker brings as well. */
const KNOWN_TO_HOLDS_AFTER_MS = 300;

/** Counts what Postgres logs while one merchant sends pairs of authorize and capture, one after the other. */
export function costOfAPair({ stack }: StackUnderTest): void {
  const testOurs = process.env['DATABASE_URL'] ? test.skip : test;

  testOurs('a pair costs no more statements, transactions and commits than it did', async () => {
    const [merchant] = await makeMerchants(stack(), 1, () => {});
    if (merchant === undefined) throw new Error('no merchant');
    const pairs = (await recordPairs(stack(), merchant, KNOWN_TO_HOLDS_AFTER_MS)).map((pair) =>
      unitsOf(pair).filter(isOfPair),
    );
    // In the other pairs the relay ran more often.
    const [cheapest = []] = pairs.toSorted((a, b) => a.flat().length - b.flat().length);
    const { statements, transactions, commits } = costOf(cheapest);
    // Two of these are from webhooks: one row for each event.
    expect(statements).toBeLessThanOrEqual(26);
    expect(transactions).toBeLessThanOrEqual(14);
    expect(commits).toBeLessThanOrEqual(6);
    const single = cheapest.filter((unit): unit is [LoggedStatement] => unit.length === 1 && isWaitedFor(unit));
    expect(single.map(named)).toEqual([
      'payments: select fee_channel',
      'payments: claim payment',
      'payments: settle payment',
      'holds: select bank_operation',
      'holds: claim hold',
      'holds: settle hold',
    ]);
  });
}
