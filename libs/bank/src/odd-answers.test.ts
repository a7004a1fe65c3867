import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Envelope } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import { type Database, openPatiently, sql } from '@cobro/postgres/database.ts';
import { inFull } from '@cobro/testing/in-full.ts';
import { listening } from '@cobro/testing/listening.ts';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { type TestDatabase, testDatabase } from '@cobro/testing/test-database.ts';
import * as fc from 'fast-check';
import { acquirersOf } from './acquirers.ts';
import { openBank } from './bank-client.ts';
import type { Bank, BankAnswer, BankRequest, InquiryAnswer } from './bank.ts';
import { backgroundPermit } from './bank-permits.ts';
import { watchBank } from './bank-watch.ts';
import { createJournal, type Journal, kindOf, type Settler } from './journal.ts';
import { createTestSubjects, givenSubject, outboxOf, type TestSubject, testSubject } from './test-subject.ts';
import { bankMigrations } from './migrations.ts';
import { recoverOnce } from './test-recovery.ts';

const CALL_TIMEOUT_MS = 250;

/** How the bank answers one request. */
interface Reply {
  status: number;
  body: Uint8Array;
  /** How much of the body is sent before the connection is cut. */
  share: number;
  delayMs: number;
}

const time = '2026-05-05T12:00:00.000Z';
const card = { expirationMonth: 12, expirationYear: 2032, cvc: new Secret('123'), holderName: 'Ana' };
const token = new Secret('tok_1');
const charged = { token, amount: 100n, initiatedBy: 'customer', organizationId: newId() } as const;
const requests: { [K in BankRequest['kind']]: BankRequest } = {
  tokenize: { kind: 'tokenize', use: 'saved', card: { ...card, number: new Secret<string>(testCards.approved) } },
  authorize: { kind: 'authorize', ...charged },
  sale: { kind: 'sale', ...charged, terms: 1 },
  capture: { kind: 'capture', authorization: 'aut_1', amount: 100n },
  void: { kind: 'void', authorization: 'aut_1' },
  refund: { kind: 'refund', original: 'sal_1', amount: 100n },
};
const kinds = Object.keys(requests) as BankRequest['kind'][];
const vaulted = { token: 'tok_2', lastFourDigits: '4242', network: 'VISA', fundingSource: 'CREDIT', issuingBank: 'B' };
const honest = {
  outcome: 'approved',
  reference: 'ref_1',
  time,
  authCode: 'A1',
  resultCode: '00',
  text: 'OK',
  amount: 100,
  ...vaulted,
};

const odd = fc.oneof(
  fc.constantFrom<unknown>('', '\0', '\ud800', 'a\0b', '\udfff x', ' ', null, 0, -1, 1e308, true, [], {}, ['approved']),
  fc.constantFrom('approved', 'declined', 'not_found', 'in_progress', 'already_voided', 'key_closed', 'key_closed\0'),
  fc.constantFrom('0000-00-00T00:00:00Z', '9999-12-31T23:59:59Z', '2026-02-30T00:00:00Z', time, '2026-05-05'),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer({ min: 1, max: 90_000 }).map((length) => 'x'.repeat(length)),
  fc.jsonValue(),
);
const fields = [...Object.keys(honest), 'declineCode', 'closed', '__proto__', 'toString'];
/** An answer that a bank gives, with some fields changed or missing. */
const changed = fc
  .tuple(
    fc.constantFrom<object>(
      honest,
      { outcome: 'declined', declineCode: 'do_not_honor', time, text: 'NO' },
      { outcome: 'not_found', closed: true },
      { outcome: 'in_progress' },
      { error: 'retry', message: 'busy' },
      { error: 'refused', message: 'never' },
      {},
    ),
    fc.array(fc.tuple(fc.constantFrom(...fields), fc.option(odd, { nil: undefined })), { maxLength: 3 }),
  )
  .map(([answer, changes]) => JSON.stringify({ ...answer, ...Object.fromEntries(changes) }));
const body = fc.oneof(
  { weight: 8, arbitrary: changed.map((json) => new TextEncoder().encode(json)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => new TextEncoder().encode(JSON.stringify(value))) },
);
const reply: fc.Arbitrary<Reply> = fc.record({
  status: fc.oneof(
    { weight: 8, arbitrary: fc.constant(200) },
    fc.constantFrom(201, 204, 302, 400, 404, 409, 422, 500, 503),
  ),
  body,
  share: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 0.99, noNaN: true })),
  delayMs: fc.oneof({ weight: 30, arbitrary: fc.constant(0) }, fc.constantFrom(1, CALL_TIMEOUT_MS * 2)),
});

let server: Awaited<ReturnType<typeof listening>>;
let bank: Bank;
let next: Reply;
beforeAll(async () => {
  server = await listening(
    createServer((req, res) => {
      const answer = next;
      req.resume().on('end', () => setTimeout(() => send(res, answer), answer.delayMs));
    }),
  );
  const { url } = server;
  bank = openBank({ url, connections: 4, connectTimeoutMs: 30_000, callTimeoutMs: CALL_TIMEOUT_MS });
});
afterAll(async () => {
  await bank.close();
  await server.close();
});

function send(res: ServerResponse, { status, body: bytes, share }: Reply): void {
  if (share === 1) return void res.writeHead(status).end(bytes);
  res.writeHead(status, { 'content-length': bytes.length + 1 }).write(bytes.slice(0, bytes.length * share));
  setTimeout(() => res.destroy(), 1);
}

/** The answer's fields, if it was sent in full. */
function saidBy({ status, body: bytes, share }: Reply, as = 200): Record<string, unknown> {
  if (status !== as || share < 1) return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const KNOWN_CODES = ['already_voided', 'already_expired', 'key_closed'];
// oxlint-disable-next-line no-control-regex
const unkeepable = /[\u0000-\u001f\u007f-\u009f]/;

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Secret) return [String(value.reveal())];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Describes what we believe although the answer did not say it. Empty if we believe no more than it said. */
function unfounded(kind: BankRequest['kind'], answer: BankAnswer | InquiryAnswer, given: Reply): string[] {
  const said = saidBy(given);
  const notSaid = (what: string, believed: unknown) =>
    said[what] === believed ? [] : [`${what}: ${String(believed)}`];
  const unfit = textsIn(answer).filter((text) => !text.isWellFormed() || unkeepable.test(text) || text.length > 1_000);
  if (answer.outcome === 'unknown') return unfit;
  // The request went out each time.
  if (answer.outcome === 'unreachable') return ['unreachable'];
  if (answer.outcome === 'retry') return saidBy(given, 503)['error'] === 'retry' ? unfit : ['retry'];
  if (answer.outcome === 'declined' && given.status === 400) {
    return answer.declineCode === 'refused' && saidBy(given, 400)['error'] === 'refused' ? unfit : ['refused'];
  }
  const all = [...unfit, ...notSaid('outcome', answer.outcome)];
  if (answer.outcome === 'not_found') return [...all, ...notSaid('closed', answer.closed)];
  const { time: saidTime } = said;
  if (typeof saidTime === 'string' && answer.time.getTime() !== Date.parse(saidTime)) all.push('time');
  if (answer.outcome === 'declined') {
    const { declineCode } = answer;
    return KNOWN_CODES.includes(declineCode) ? [...all, ...notSaid('declineCode', declineCode)] : all;
  }
  if (answer.amount !== undefined) all.push(...(kind === 'sale' ? notSaid('amount', answer.amount) : ['amount']));
  if (kind !== 'tokenize') return [...all, ...notSaid('reference', answer.reference || 'none')];
  const { token: believed, lastFourDigits, network, fundingSource } = answer.vaulted ?? {};
  return [
    ...all,
    ...notSaid('token', believed?.reveal() ?? 'none'),
    ...notSaid('lastFourDigits', lastFourDigits),
    ...notSaid('network', network),
    ...notSaid('fundingSource', fundingSource),
  ];
}

test('nothing is believed that the bank did not say, whatever it answers to whatever it was asked', async () => {
  const property = fc.asyncProperty(fc.constantFrom(...kinds), reply, async (kind, given) => {
    next = given;
    const deadline = performance.now() + CALL_TIMEOUT_MS;
    expect(unfounded(kind, await bank.send(newId(), requests[kind], deadline, 'live'), given)).toEqual([]);
    expect(unfounded(kind, await bank.inquire(newId(), kind, true), given)).toEqual([]);
  });
  await fc.assert(property, { numRuns: inFull ? 20_000 : 150, endOnFailure: true });
}, 600_000);

describe('an operation', () => {
  let database: TestDatabase;
  let db: Database;
  let journal: Journal;
  let complaints: object[];
  let settler: Settler<TestSubject>;
  beforeAll(async () => {
    database = await testDatabase({ name: 'bank', migrations: [bankMigrations] });
    db = openPatiently({ url: database.url, schema: 'bank' });
    await db.run(sql`create table effect (subject_id uuid primary key, ending jsonb not null)`);
    await createTestSubjects(db);
    complaints = [];
    settler = {
      subject: testSubject,
      settle: ({ version }, { subjectId }, ending) => ({
        changes: { version: version + 1 },
        events: [{ subject: subjectId, data: ending } as unknown as Envelope],
      }),
    };
    journal = createJournal({
      claimDb: db,
      db,
      backgroundDb: db,
      acquirers: acquirersOf({ default: watchBank(bank, { acquirer: 'default', isLive: false, log: silentLog }) }),
      callTimeoutMs: CALL_TIMEOUT_MS,
      bounds: { perCard: 2, perMerchant: 64, perService: 64 },
      settlers: Object.fromEntries(Object.keys(kindOf).map((purpose) => [purpose, settler])),
      outbox: outboxOf(
        ({ subject, data }) => sql`insert into effect select ${subject}::uuid, ${JSON.stringify(data)}::jsonb`,
      ),
      handOver: async () => {},
      log: { error: (complaint) => complaints.push(complaint) },
    });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  test('is settled by each answer that is believed; by any other it stays open until the bank says what became of it', async () => {
    const purposes = Object.keys(kindOf) as (keyof typeof kindOf)[];
    const property = fc.asyncProperty(fc.constantFrom(...purposes), reply, async (purpose, given) => {
      next = given;
      const row = await givenSubject(db);
      const claimed = await journal.claim({ purpose, subject: testSubject, row }, backgroundPermit('default'));
      if (claimed === undefined) throw new Error('not claimed');
      const { id, subjectId } = claimed.operation;
      const { outcome } = await journal.carryOut(claimed, requests[kindOf[purpose]], settler);
      const status = async () =>
        (await db.one<{ status: string }>(sql`select status from bank_operation where id = ${id}`)).status;
      expect(complaints).toEqual([]);
      expect(await status()).toBe(outcome === 'unknown' ? 'open' : outcome);
      next = { status: 200, body: new TextEncoder().encode(JSON.stringify(honest)), share: 1, delayMs: 0 };
      for (let asked = 0; (await status()) === 'open'; asked++) {
        expect(asked).toBeLessThan(20);
        await db.run(sql`update bank_operation set inquire_at = clock_timestamp() where status = 'open'`);
        await recoverOnce(journal);
      }
      const effects = sql`select ending->>'outcome' as outcome from effect where subject_id = ${subjectId}`;
      expect(await db.many(effects)).toEqual([{ outcome: await status() }]);
    });
    await fc.assert(property, { numRuns: inFull ? 3_000 : 30, endOnFailure: true });
  }, 600_000);
});
