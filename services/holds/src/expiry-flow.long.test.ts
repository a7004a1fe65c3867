import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { acquirersOf } from '@cobro/bank/acquirers.ts';
import { openBank } from '@cobro/bank/bank-client.ts';
import { backgroundCalls, paceBesideRequests } from '@cobro/bank/bank-permits.ts';
import { type WatchedBank, watchBank } from '@cobro/bank/bank-watch.ts';
import { createJournal } from '@cobro/bank/journal.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { unset } from '@cobro/contracts/payment-fields.ts';
import { fixedPart } from '@cobro/contracts/payments.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { appendToOutbox, writingEvent } from '@cobro/events/outbox.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import type { Job } from '@cobro/service-kit/job.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { type RunningBank, startBank } from '@cobro/testing/start-bank.ts';
import { testPeer } from '@cobro/testing/test-peer.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import { until } from '@cobro/testing/until.ts';
import type { Deps } from './deps.ts';
import { claimExpiries, expire, expireHolds } from './expire-holds.job.ts';
import { insertHold } from './hold.store.ts';
import { settleHold } from './settle-hold.ts';

const CALL_TIMEOUT_MS = 60_000;

let simulator: RunningBank;
let database: TestDatabase;
let db: Database;
let bank: WatchedBank;
let payments: Awaited<ReturnType<typeof testPeer>>;
/** Payments' answer about its live calls. */
let areFrequent = false;
let deps: Deps;
let flow: Job | undefined;

beforeEach(async () => {
  areFrequent = false;
  [simulator, database] = await Promise.all([startBank(), testDatabase('holds')]);
  db = openPatiently({ url: database.url, schema: 'holds' });
  const timeouts = { connectTimeoutMs: 2_000, callTimeoutMs: CALL_TIMEOUT_MS };
  const log = createLog({ service: 'holds', level: 'fatal' });
  bank = watchBank(openBank({ url: simulator.url, connections: 4, ...timeouts }), {
    acquirer: 'default',
    isLive: false,
    log,
  });
  const outbox: Deps['outbox'] = {
    append: appendToOutbox,
    writing: (event) => writingEvent(event, () => {}),
    stop: async () => {},
  };
  const journal = createJournal({
    claimDb: db,
    db,
    backgroundDb: db,
    acquirers: acquirersOf({ default: bank }),
    callTimeoutMs: CALL_TIMEOUT_MS,
    bounds: { perCard: 16, perMerchant: 64, perService: 256 },
    settlers: { expire: settleHold },
    outbox,
    handOver: async () => {},
    log,
  });
  payments = await testPeer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ areFrequent }));
  });
  deps = {
    db,
    outbox,
    journal,
    log,
    clock: { now: () => new Date() },
    payments: payments.client,
    handOverEnding: async () => {},
  };
});
afterEach(async () => {
  await flow?.stop();
  flow = undefined;
  await deps.journal.finish();
  await bank.close();
  await payments.client.close();
  await payments.stop();
  await db.close();
  await Promise.all([simulator.close(), database.drop()]);
});

async function atTheBank(path: string, body: object) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': newId() };
  const answer = await fetch(simulator.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as { token: string; reference: string };
}

/** Holds that the bank knows and whose window closed a minute ago, or `minutesAgo`. */
async function placeDue(count: number, minutesAgo = 1): Promise<void> {
  const printed = { number: testCards.approved, expirationMonth: 12, expirationYear: 2039 };
  const card = { ...printed, cvc: '123', holderName: 'Ana', use: 'saved' };
  const { token } = await atTheBank('/v1/tokens', card);
  const heldAt = new Date();
  for (let placed = 0; placed < count; placed += 50) {
    const merchant = { id: newId(), descriptor: null };
    const asked = { token, amount: 100, currency: 'MXN', initiatedBy: 'merchant', merchant };
    const authorize = () => atTheBank('/v1/authorizations', asked);
    const answers = await Promise.all(Array.from({ length: Math.min(50, count - placed) }, authorize));
    await db.inTransaction(async (tx) => {
      for (const { reference } of answers) {
        insertHold(tx, {
          paymentId: newId(),
          organizationId: newId(),
          paymentMethodId: newId(),
          heldAmount: 100n,
          acquirer: 'default',
          bankReference: reference,
          rates: null,
          shown: fixedPart({ ...unset, currency: 'MXN', createdAt: heldAt }),
          heldAt,
          expiresAt: new Date(heldAt.getTime() - minutesAgo * 60_000),
          captureBefore: null,
        });
      }
    });
  }
}

const countOf = async (statement: ReturnType<typeof sql>) => (await db.one<{ n: number }>(statement)).n;
const expired = () => countOf(sql`select count(*)::int as n from hold where status = 'EXPIRED'`);
const open = () => countOf(sql`select count(*)::int as n from bank_operation where status = 'open'`);
/** The largest number of open operations that one transaction has claimed. */
const largestTogether = () =>
  countOf(sql`
    select coalesce(max(claimed), 0)::int as n
    from (select count(*) as claimed from bank_operation where status = 'open' group by xmin::text) as transactions`);
const notSent = () => countOf(sql`select count(*)::int as n from bank_operation where status = 'not_sent'`);

describe('the sweep', () => {
  test('expires all other holds while the bank is silent about one in twenty', async () => {
    await placeDue(300);
    await simulator.setFaults({ rates: { silentDone: 0.05 }, kinds: ['void'], seed: 5 });
    flow = expireHolds(deps);
    await until('all others are expired, with the silent ones still waited for', async () => {
      const [done, waiting] = await Promise.all([expired(), open()]);
      return done + waiting === 300 && waiting > 5 && waiting < 40;
    });
    // No call's time is over yet, so none was given up.
    expect(await countOf(sql`select count(*)::int as n from bank_operation where unanswered_at is not null`)).toBe(0);
    await simulator.kill();
  });

  test('asks a bank that refuses connections ever more rarely, and goes on by itself when the bank is back', async () => {
    await placeDue(200);
    await simulator.kill();
    flow = expireHolds(deps);
    await until('it has tried', async () => (await notSent()) > 0);
    await sleep(6_000);
    // The first ones are tried together; then one each after half a second, one, two and four seconds.
    expect(await notSent()).toBeLessThan(backgroundCalls.atOnce + 14);
    await simulator.start();
    await until('all are expired', async () => (await expired()) === 200);
    const voids = (await simulator.operations()).filter(({ kind }) => kind === 'void');
    expect(voids).toHaveLength(200);
  });

  test('makes way while payments says that requests call the bank, unless the holds are late', async () => {
    areFrequent = true;
    await placeDue(100);
    const begun = performance.now();
    flow = expireHolds(deps);
    await until('all are expired', async () => (await expired()) === 100);
    // The last group may be under way after six pauses of 80 ms.
    expect(performance.now() - begun).toBeGreaterThan(450);
    await simulator.setFaults({ rates: { slow: 1 }, kinds: ['void'], slowMs: 300 });
    await placeDue(200, 10);
    let most = 0;
    await until('more are taken than a group at its pace', async () => {
      most = Math.max(most, await largestTogether());
      return most > paceBesideRequests.inGroup;
    });
    expect(most).toBeLessThanOrEqual(backgroundCalls.atOnce);
  });

  test('makes way while requests to its own process call the bank', async () => {
    await placeDue(400);
    const release = { kind: 'void', authorization: 'unknown' } as const;
    const ofRequest = { lane: 'live', organizationId: newId() } as const;
    const begun = performance.now();
    await Promise.all([1, 2, 3, 4, 5].map(() => bank.send(newId(), release, begun + CALL_TIMEOUT_MS, ofRequest)));
    flow = expireHolds(deps);
    await until('all are expired', async () => (await expired()) === 400);
    // The last group may be under way after 24 pauses of 80 ms.
    expect(performance.now() - begun).toBeGreaterThan(1_850);
  });

  test('shows how many holds a second, in batches and as a flow, with one void in twenty slow', async () => {
    const [count, slowMs] = inFull ? [2_000, 4_000] : [160, 400];
    const slowly = () => simulator.setFaults({ rates: { slow: 0.05 }, kinds: ['void'], slowMs, seed: 7 });
    const perSecond = async (run: () => Promise<void>) => {
      await placeDue(count);
      await slowly();
      const before = await expired();
      const begun = performance.now();
      await run();
      await until('all are expired', async () => (await expired()) === before + count, 600_000);
      return Math.round((count / (performance.now() - begun)) * 10_000) / 10;
    };
    const batches = await perSecond(async () => {
      // Works as the sweep did before it was a flow: twenty, then the next twenty.
      for (let claimed = 1; claimed > 0;) {
        const expiries = await claimExpiries(deps, 'default', 20);
        await Promise.all(expiries.map((expiry) => expire(deps, expiry)));
        claimed = expiries.length;
      }
    });
    const asFlow = await perSecond(async () => {
      flow = expireHolds(deps);
    });
    process.stdout.write(
      `holds a second, 1 void in 20 takes ${slowMs} ms: ${batches} in batches, ${asFlow} as a flow\n`,
    );
    expect(await open()).toBe(0);
  }, 1_200_000);
});
