import type { Database, Tx } from '@cobro/postgres/database.ts';
import { readAnswer } from './bank-answer.ts';
import type { Approved, BankAnswer, BankRequest, Declined, InquiryAnswer, Lane } from './bank.ts';
import type { BankCaller } from './bank-watch.ts';
import type { Place } from './bank-places.ts';
import {
  type Claim,
  type DueOperation,
  findOpenOperation,
  insertOperation,
  makeInquiriesDue,
  markUnanswered,
  type OpenOperation,
  type Operation,
  type Purpose,
  takeForInquiry,
  takeTold,
} from './journal.store.ts';
import { markApplied } from './resolution.store.ts';
import {
  createSettlement,
  createSettlementTogether,
  type Ending,
  type Settle,
  type SettlementOptions,
  type Settlers,
} from './settle.ts';
import { createVault, type Vault, type VaultOptions } from './vault.ts';

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

export interface Journal<Row> extends Vault {
  /**
   * Writes down what the bank is about to be asked, as the last step of the caller's transaction, which has locked the subject.
   * Refused as BANK_UNAVAILABLE where the place cannot be taken, or where the transaction has waited until too little time was
   * left.
   */
  claim(tx: Tx, claim: Claim, place: Place): Claimed;
  /** The operation of this subject whose outcome is not known yet, if there is one. */
  openOperation(tx: Tx, subjectId: string): Promise<OpenOperation | undefined>;
  /**
   * Calls the bank after the claim has committed, and settles. Goes on even if the caller has gone. After `sendBefore` (a
   * `performance.now()` value) nothing is sent any more, and the operation ends as `not_sent`.
   */
  carryOut(claimed: Claimed, request: BankRequest, sendBefore?: number): Promise<Outcome<Row>>;
  /** Takes at most so many operations whose outcome is not known and that are due for an inquiry. Nobody else gets them meanwhile. */
  takeDue(count: number): Promise<DueOperation[]>;
  /**
   * Asks the bank what became of an operation, and settles it where the bank says. Where the bank does not say, and an operator has
   * said what the bank told, settles it by that. Refused where the bank cannot be reached. Never rejects.
   */
  inquire(operation: DueOperation): Promise<'settled' | 'open' | 'refused'>;
  /**
   * Inquires once about operations of which an operator has said how they ended, also while the bank is away. Returns how many were
   * settled.
   */
  settleTold(): Promise<number>;
  /** While this is true timed work asks nothing of the bank. */
  isBankAway(): boolean;
  /** Resolves when no call is running. Await this before you close the database. */
  finish(): Promise<void>;
}

export interface JournalOptions<Row> extends VaultOptions, SettlementOptions<Row> {
  db: Database;
  /** Connections of their own for inquiries and what jobs ask of the bank, so that these do not hold up what a caller waits for. */
  backgroundDb: Database;
  log: { error(fields: object, message: string): void };
}

/** What the bank is asked for each purpose. */
export const kindOf = {
  save: 'tokenize',
  charge: 'sale',
  hold: 'authorize',
  capture: 'capture',
  release: 'void',
  expire: 'void',
  refund: 'refund',
} as const satisfies Record<Purpose, BankRequest['kind']>;

const INQUIRY_MARGIN_MS = 1_000;

/** Claim, call, settle (ADR 2). Only this module calls the bank, and only this module finds out what became of a call. */
export function createJournal<Row>(options: JournalOptions<Row>): Journal<Row> {
  const dbs: Record<Lane, Database> = { live: options.db, background: options.backgroundDb };
  const { bank } = options;
  bank.onReturn(() => {
    const failed = 'inquiries were not made due; each comes when its pause is over';
    makeInquiriesDue(dbs.background).catch((error: unknown) => options.log.error({ error }, failed));
  });
  const settle = {
    live: createSettlement(options, dbs.live),
    // Many at once, and nobody waits for one of them.
    background: createSettlementTogether(options, dbs.background),
    told: createSettlement({ ...options, settle: notingResolution(options.settle) }, dbs.background),
  };

  const inquire = async (operation: DueOperation): Promise<'settled' | 'open' | 'refused'> => {
    const answer = await bank.inquire(operation.id, kindOf[operation.purpose], true);
    const ending = endingOfInquiry(answer);
    if (ending !== undefined) return (await settle.background(operation, ending)) === undefined ? 'open' : 'settled';
    // What the bank itself says counts for more than what somebody has typed.
    const told = endingTold(operation);
    if (told !== undefined) return (await settle.told(operation, told)) === undefined ? 'open' : 'settled';
    return answer.outcome === 'unreachable' ? 'refused' : 'open';
  };

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

  const notSettled = (operation: Operation, error: unknown) => {
    options.log.error({ error, operationId: operation.id, operationKind: operation.purpose }, 'not settled');
    return 'open' as const;
  };

  const running = new Set<Promise<Outcome<Row>>>();
  return {
    ...createVault(options),
    claim: (tx, claim, place) => {
      place.take();
      const deadline = performance.now() + options.callTimeoutMs;
      const operation = insertOperation(tx, claim, options.callTimeoutMs + INQUIRY_MARGIN_MS);
      return { operation, deadline, caller: place };
    },
    openOperation: findOpenOperation,
    carryOut: (claimed, request, sendBefore) => {
      const outcome = call(claimed, request, sendBefore).finally(() => running.delete(outcome));
      running.add(outcome);
      return outcome;
    },
    takeDue: (count) => takeForInquiry(dbs.background, count),
    inquire: (operation) => inquire(operation).catch((error: unknown) => notSettled(operation, error)),
    settleTold: async () => {
      const operations = await takeTold(dbs.background);
      const made = operations.map((operation) =>
        inquire(operation).catch((error: unknown) => notSettled(operation, error)),
      );
      return (await Promise.all(made)).filter((result) => result === 'settled').length;
    },
    isBankAway: bank.isAway,
    finish: async () => void (await Promise.all(running)),
  };
}

/** The bank declines a key that an inquiry has closed. Nothing moved under that key, and nothing ever will. */
function endingOf(answer: Approved | Declined): Ending {
  return answer.outcome === 'declined' && answer.declineCode === 'key_closed' ? { outcome: 'not_processed' } : answer;
}

/** Undefined where the bank does not say for good what became of the operation. */
function endingOfInquiry(answer: InquiryAnswer): Ending | undefined {
  if (answer.outcome === 'unreachable' || answer.outcome === 'unknown') return undefined;
  if (answer.outcome !== 'not_found') return endingOf(answer);
  return answer.closed ? { outcome: 'not_processed' } : undefined;
}

/** How an operator said that the operation ended. It is read as an answer of the bank is, so nothing else can be written down. */
function endingTold({ purpose, told }: DueOperation): Ending | undefined {
  if (told === null || told.outcome === 'not_processed') return told ?? undefined;
  const read = readAnswer(kindOf[purpose], told);
  return read.outcome === 'unknown' ? undefined : read;
}

/** The same settlers. They also note, in the same transaction, that what an operator said was used. */
function notingResolution<Row>(settlers: Settlers<Row>): Settlers<Row> {
  const noting =
    (settle: Settle<Row>): Settle<Row> =>
    async (tx, operation, ending) => {
      const settled = await settle(tx, operation, ending);
      markApplied(tx, operation.id);
      return settled;
    };
  return Object.fromEntries(Object.entries(settlers).map(([purpose, settle]) => [purpose, noting(settle)]));
}
