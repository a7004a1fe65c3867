import type { Database, Tx } from '@cobro/postgres/database.ts';
import type { BankAnswer, BankRequest, Lane } from './bank.ts';
import type { BankCaller } from './bank-watch.ts';
import type { Place } from './bank-places.ts';
import {
  type Claim,
  findOpenOperation,
  insertOperation,
  insertWhereNoneIsOpen,
  makeInquiriesDue,
  markUnanswered,
  type OpenOperation,
  type Operation,
  type Purpose,
} from './journal.store.ts';
import { createInquiries, endingOf, type Inquiries, notingFailures } from './inquiries.ts';
import { inSpanOf } from './operation-span.ts';
import { createSettlement, type Ending, type SettlementOptions } from './settle.ts';
import { createVault, type Vault, type VaultOptions } from './vault.ts';

export { kindOf } from './journal.store.ts';
export type { DueOperation, Operation } from './journal.store.ts';
export type { Ending, Settle, Settled, Settlers } from './settle.ts';

/**
 * What a caller is told: the ending, or that it is not known yet. `row` is the subject after settling. Absent if nothing moved,
 * or if recovery settled first.
 */
export type Outcome<Row> = (Ending | { outcome: 'unknown' }) & { row?: Row | undefined };

/** A committed claim, and until when (a `performance.now()` value) its call may run. */
export interface Claimed {
  operation: Operation;
  deadline: number;
  caller: BankCaller;
}

export interface Journal<Row> extends Vault, Inquiries {
  /**
   * Writes down what the bank is about to be asked, as the last step of the caller's transaction, which has locked the subject.
   * Refused as BANK_UNAVAILABLE where the place cannot be taken, or where the transaction has waited until too little time was
   * left.
   */
  claim(tx: Tx, claim: Claim, place: Place): Claimed;
  /** Claims on each of these subjects, which the caller's transaction has locked, but for those that have an open operation. */
  claimEach(tx: Tx, claims: { purpose: Purpose; subjectIds: readonly string[] }, place: Place): Promise<Claimed[]>;
  /** The operation of this subject whose outcome is not known yet, if there is one. */
  openOperation(tx: Tx, subjectId: string): Promise<OpenOperation | undefined>;
  /**
   * Calls the bank after the claim has committed, and settles. Goes on even if the caller has gone. After `sendBefore` (a
   * `performance.now()` value) nothing is sent any more, and the operation ends as `not_sent`.
   */
  carryOut(claimed: Claimed, request: BankRequest, sendBefore?: number): Promise<Outcome<Row>>;
  /** While this is true timed work asks nothing of the bank. */
  isBankAway(): boolean;
  /** Whether requests to this process have called the bank five times or more in the last five seconds. */
  isBankCalledLive(): boolean;
  /** Resolves when no call is running. Await this before you close the database. */
  finish(): Promise<void>;
}

export interface JournalOptions<Row> extends VaultOptions, SettlementOptions<Row> {
  db: Database;
  /** Connections of their own for inquiries and what jobs ask of the bank, so that these do not hold up what a caller waits for. */
  backgroundDb: Database;
  log: { error(fields: object, message: string): void };
}

const INQUIRY_MARGIN_MS = 1_000;

/** Claim, call, settle (ADR 2). Only this module and its inquiries call the bank, and find out what became of a call. */
export function createJournal<Row>(options: JournalOptions<Row>): Journal<Row> {
  const dbs: Record<Lane, Database> = { live: options.db, background: options.backgroundDb };
  const { bank } = options;
  bank.onReturn(() => {
    const failed = 'inquiries were not made due; each comes when its pause is over';
    makeInquiriesDue(dbs.background).catch((error: unknown) => options.log.error({ error }, failed));
  });
  const settle = {
    live: createSettlement(options, dbs.live),
    background: createSettlement(options, dbs.background),
  };
  const notSettled = notingFailures(options.log);

  const call = async (
    { operation, deadline, caller }: Claimed,
    request: BankRequest,
    sendBefore = Number.POSITIVE_INFINITY,
  ): Promise<Outcome<Row>> => {
    const answer: BankAnswer =
      performance.now() > sendBefore
        ? { outcome: 'unreachable' }
        : await bank.send(operation.id, request, deadline, caller);
    try {
      if (answer.outcome === 'unknown') {
        await markUnanswered(dbs[caller.lane], operation.id);
        return answer;
      }
      const ending = answer.outcome === 'unreachable' ? ({ outcome: 'not_sent' } as const) : endingOf(answer);
      const settled = await settle[caller.lane](operation, ending);
      // An inquiry settled the operation meanwhile. If our request reached the bank, the inquiry got the same answer as we did. If
      // our request was never sent, the inquiry has closed its key.
      if (settled === undefined) return ending.outcome === 'not_sent' ? { outcome: 'not_processed' } : ending;
      return { ...ending, row: settled.row };
    } catch (error) {
      // The bank has acted, but we could not write the outcome down. An inquiry will do so.
      notSettled(operation, error);
      return { outcome: 'unknown' };
    }
  };

  const inquireAfterMs = options.callTimeoutMs + INQUIRY_MARGIN_MS;
  /** Takes the place. The deadline of the calls counts from now. */
  const taking = (place: Place) => {
    place.take();
    const deadline = performance.now() + options.callTimeoutMs;
    return (operation: Operation): Claimed => ({ operation, deadline, caller: place });
  };
  const running = new Set<Promise<Outcome<Row>>>();
  return {
    ...createVault(options),
    ...createInquiries({ bank, db: dbs.background, inquireAfterMs, settling: options, notSettled }),
    claim: (tx, claim, place) => taking(place)(insertOperation(tx, claim, inquireAfterMs)),
    claimEach: async (tx, claims, place) => {
      const claimed = taking(place);
      return (await insertWhereNoneIsOpen(tx, claims, inquireAfterMs)).map(claimed);
    },
    openOperation: findOpenOperation,
    carryOut: (claimed, request, sendBefore) => {
      const outcome = inSpanOf(claimed.operation, () => call(claimed, request, sendBefore)).finally(() =>
        running.delete(outcome),
      );
      running.add(outcome);
      return outcome;
    },
    isBankAway: bank.isAway,
    isBankCalledLive: bank.isCalledLive,
    finish: async () => void (await Promise.all(running)),
  };
}
