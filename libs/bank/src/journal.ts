import { createInFlight } from '@cobro/async/in-flight.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { Database, Sql } from '@cobro/postgres/database.ts';
import type { BankAnswer, BankRequest, Lane } from './bank.ts';
import type { BankCaller } from './bank-watch.ts';
import type { Permit } from './bank-permits.ts';
import {
  claimingEach,
  claimingLocked,
  claimingWritten,
  makeInquiriesDue,
  markUnanswered,
  type Operation,
  type Purpose,
} from './journal.store.ts';
import { createInquiries, endingOf, type Inquiries, notingFailures } from './inquiries.ts';
import { inSpanOf } from './operation-span.ts';
import {
  type Counting,
  createSettlement,
  type Ending,
  type SettlementOptions,
  type Settler,
  type Settlers,
  whileCounting,
} from './settle.ts';
import type { Subject } from './subject.ts';
import { createVault, type Vault, type VaultOptions } from './vault.ts';

export { kindOf } from './journal.store.ts';
export type { DueOperation, Operation } from './journal.store.ts';
export { NotTheOutcome } from './settle.ts';
export type { Change, Counting, Ending, Settler, Settlers } from './settle.ts';

/**
 * What a caller gets: the ending, or `unknown`. `row` is the subject after settling; absent if nothing moved, or an inquiry was
 * first.
 */
export type Outcome<Row> = (Ending | { outcome: 'unknown' }) & {
  row?: Row | undefined;
};

/** A committed claim: the subject as it is claimed, and until when (a `performance.now()` value) its call may run. */
export interface Claimed<Row> {
  operation: Operation;
  row: Row;
  deadline: number;
  caller: BankCaller;
}

interface Claim {
  purpose: Purpose;
  amount?: bigint;
  note?: string | undefined;
}

/** A claim on a row that has been read and checked. */
export interface ClaimOfRow<Row> extends Claim {
  subject: Subject<Row>;
  row: Row;
}

/** A claim on a row that the claim itself writes. */
export interface ClaimByWriting extends Claim {
  /** Gives the row, with its `id`, if it has written one. */
  writing: Sql;
  /** An `insert` of what the row is made for, in the same statement. `writing` selects from it as `origin`. */
  origin?: Sql;
  /**
   * The operation's id, if it follows from what is paid: `writing` then has `mayBeSent` in its condition. An operation that ended as
   * `not_sent` is opened again.
   */
  id?: string;
  /** An `update` that runs only if a row is written. Ends with its `where`. */
  also?: Sql;
  /** What it counts if a row is written. If that locks, the claim does not share its transaction. */
  counting?: readonly Counting[];
  /** Locks what must be locked first. */
  locking?: Sql;
  /** One value, read in the same snapshot that decides whether the row is written, so that it says why. */
  reading?: Sql;
  /** Equal for claims that compete for one row. */
  key: string;
}

/** Claims on rows that the statement itself finds. */
export interface ClaimOfEach {
  purpose: Purpose;
  /** Locks the rows, and gives them with their `id`. */
  locking: Sql;
  /** The most rows that it locks. */
  most: number;
}

export interface Journal extends Vault, Inquiries {
  /**
   * Writes down what the bank is about to be asked, in one statement. Undefined if the row has changed, has another operation
   * open, or was locked until too little time was left: then the caller reads it again. Refused as BANK_UNAVAILABLE if the
   * bank is away, or too little time is left for a call.
   */
  claim<Row extends object>(claim: ClaimOfRow<Row>, permit: Permit): Promise<Claimed<Row> | undefined>;
  /** The same with a row that the statement writes. `claimed` is undefined if it writes none; `read` is what `reading` gives. */
  claimByWriting<Row extends { id: string }>(
    claim: ClaimByWriting,
    permit: Permit,
  ): Promise<{ claimed: Claimed<Row> | undefined; read: unknown }>;
  /** Claims in one statement on each row that has no operation open. */
  claimEach<Row extends object>(claims: ClaimOfEach, permit: Permit): Promise<Claimed<Row>[]>;
  /**
   * Calls the bank after the claim has committed, and settles, even if the caller has gone. After `sendBefore` (a
   * `performance.now()` value) nothing is sent, and the operation ends as `not_sent`.
   */
  carryOut<Row extends object>(
    claimed: Claimed<Row>,
    request: BankRequest,
    settler: Settler<Row>,
    sendBefore?: number,
  ): Promise<Outcome<Row>>;
  /** While this is true timed work asks nothing of this acquirer. */
  isAway(acquirer: string): boolean;
  /** Whether requests to this process have called an acquirer five times or more in the last five seconds. */
  isBankCalledLive(): boolean;
  /** Resolves when no call is running. Await this before you close the database. */
  finish(): Promise<void>;
}

export interface JournalOptions extends VaultOptions, SettlementOptions {
  /** Connections for claims, which callers wait for. */
  claimDb: Database;
  /** Connections for settling live calls. They are separate, so that waiting requests never delay a settlement. */
  db: Database;
  /** The same for inquiries and jobs, so that these do not hold up what a caller waits for. */
  backgroundDb: Database;
  /** By purpose, to settle what an inquiry finds out. */
  settlers: Settlers;
  log: { error(fields: object, message: string): void };
}

const INQUIRY_MARGIN_MS = 1_000;

/** Claim, call, settle (ADR 2). Operations reach the bank only from here and the inquiries. The vault calls it without a claim. */
export function createJournal(options: JournalOptions): Journal {
  const dbs: Record<Lane, Database> = { live: options.db, background: options.backgroundDb };
  const { acquirers } = options;
  for (const acquirer of acquirers.names) {
    acquirers.of(acquirer).onReturn(() => {
      const failed = 'inquiries were not made due; each comes when its pause is over';
      makeInquiriesDue(dbs.background, acquirer).catch((error: unknown) => options.log.error({ error }, failed));
    });
  }
  const settlement = {
    live: createSettlement(options, dbs.live),
    background: createSettlement(options, dbs.background),
  };
  const notSettled = notingFailures(options.log);
  const inquireAfterMs = options.callTimeoutMs + INQUIRY_MARGIN_MS;

  /** Asks the bank, and settles what it answers. */
  const callAndSettle = async <Row extends object>(
    { operation, row, deadline, caller }: Claimed<Row>,
    request: BankRequest,
    settler: Settler<Row>,
    sendBefore = Number.POSITIVE_INFINITY,
  ): Promise<Outcome<Row>> => {
    const answer: BankAnswer =
      performance.now() > sendBefore
        ? { outcome: 'unreachable' }
        : await acquirers.of(operation.acquirer).send(operation.id, request, deadline, caller);
    try {
      if (answer.outcome === 'unknown') {
        await markUnanswered(dbs[caller.lane], operation.id);
        return answer;
      }
      const ending = endingOf(answer);
      const settled = await settlement[caller.lane](settler, operation, ending, row);
      // An inquiry settled the operation meanwhile. If our request reached the bank, the inquiry got the same answer as we did. If
      // our request was never sent, the inquiry has closed its key.
      if (settled === undefined) return ending.outcome === 'not_sent' ? { outcome: 'not_processed' } : ending;
      return { ...ending, row: settled.row };
    } catch (error) {
      // The bank has answered, but we could not write that down, or it is impossible. An inquiry asks again.
      notSettled(operation, error);
      return { outcome: 'unknown' };
    }
  };

  const claims = createClaims(options.claimDb, options.callTimeoutMs, inquireAfterMs);
  const calls = createInFlight();
  return {
    ...createVault(options),
    ...createInquiries({
      acquirers,
      db: dbs.background,
      inquireAfterMs,
      settling: options,
      settlers: options.settlers,
      notSettled,
    }),
    ...claims,
    carryOut: (claimed, ...rest) => calls.add(inSpanOf(claimed.operation, () => callAndSettle(claimed, ...rest))),
    isAway: (acquirer) => acquirers.of(acquirer).isAway(),
    isBankCalledLive: () => acquirers.names.some((name) => acquirers.of(name).isCalledLive()),
    finish: calls.idle,
  };
}

function createClaims(
  db: Database,
  callTimeoutMs: number,
  inquireAfterMs: number,
): Pick<Journal, 'claim' | 'claimByWriting' | 'claimEach'> {
  /** The deadline of the call counts from before the claim, so that no inquiry comes while the call runs. */
  const beginning = (permit: Permit, { purpose, amount, note, id: key }: Claim & { id?: string }) => {
    const withinMs = permit.msToSpare();
    const deadline = performance.now() + callTimeoutMs;
    const { acquirer } = permit;
    const asked = { id: key ?? newId(), acquirer, purpose, amount: amount ?? null, note: note ?? null };
    return {
      asked: { ...asked, askedBy: permit.askedBy },
      withinMs,
      claimed: <Row>(row: Row, subjectId: string, id = asked.id): Claimed<Row> => {
        const operation = { ...asked, id, subjectId, unansweredAt: null };
        return { operation, row, deadline, caller: permit };
      },
    };
  };
  return {
    claim: async <Row extends object>({ subject, row, ...claim }: ClaimOfRow<Row>, permit: Permit) => {
      const { asked, withinMs, claimed } = beginning(permit, claim);
      const subjectId = subject.idOf(row);
      const claiming = claimingLocked(subject.lockAsRead(row), asked, { withinMs, inquireAfterMs });
      const [inserted] = await db.inSharedTransaction<{ id: string }>(subjectId, claiming);
      return inserted && claimed(row, subjectId);
    },
    claimByWriting: async <Row extends { id: string }>(
      { writing, origin, also, counting = [], locking, reading, key, ...claim }: ClaimByWriting,
      permit: Permit,
    ) => {
      const { asked, claimed } = beginning(permit, claim);
      const effects = [...(also === undefined ? [] : [also]), ...counting.flatMap((one) => one.writing ?? [])];
      const isRepeatable = claim.id !== undefined;
      const claiming = claimingWritten({ writing, origin, effects, isRepeatable, reading }, asked, inquireAfterMs);
      const [found] = await whileCounting<Row & { read?: unknown }>(db, { counting, key, locking }, claiming);
      if (found === undefined) return { claimed: undefined, read: undefined };
      const { read, ...row } = found;
      return { claimed: row.id === null ? undefined : claimed(row as unknown as Row, row.id), read };
    },
    claimEach: async <Row extends object>({ purpose, locking, most }: ClaimOfEach, permit: Permit) => {
      const { asked, claimed } = beginning(permit, { purpose });
      const ids = Array.from({ length: most }, () => newId());
      const claiming = claimingEach(locking, { ...asked, ids }, inquireAfterMs);
      const found = await db.many<Row & { id: string; operationId: string }>(claiming);
      return found.map(({ id, operationId, ...row }) => claimed(row as unknown as Row, id, operationId));
    },
  };
}
