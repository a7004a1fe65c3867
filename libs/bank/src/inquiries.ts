import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { readAnswer } from './bank-answer.ts';
import type { Acquirers } from './acquirers.ts';
import type { BankAnswer, InquiryAnswer } from './bank.ts';
import {
  type DueOperation,
  inquireLater,
  kindOf,
  type Operation,
  takeForInquiry,
  takeResolved,
} from './journal.store.ts';
import { inTraceOfInquiry } from './operation-span.ts';
import {
  createSettlement,
  type Ending,
  NotTheOutcome,
  type Settlement,
  type SettlementOptions,
  type Settlers,
} from './settle.ts';

/** Finds out what became of operations whose outcome is not known. */
export interface Inquiries {
  /**
   * Takes at most `count` operations with an unknown outcome that are due for an inquiry at this acquirer. Nobody else gets them until
   * the inquiry has ended.
   */
  takeDue(acquirer: string, count: number): Promise<DueOperation[]>;
  /**
   * Asks the operation's acquirer what became of it, and settles it by a final answer. If the answer is not final, or is impossible, and
   * an operator has recorded a resolution, settles it by the resolution. Gives `refused` if the bank cannot be reached. Never rejects.
   */
  inquire(operation: DueOperation): Promise<'settled' | 'open' | 'refused'>;
  /**
   * Inquires once about operations that an operator has resolved, also while their acquirer is away. Returns how many were settled.
   */
  settleResolved(): Promise<number>;
}

export interface InquiriesOptions {
  acquirers: Acquirers;
  db: Database;
  /** Longer than an inquiry may take. */
  inquireAfterMs: number;
  settling: SettlementOptions;
  settlers: Settlers;
  notSettled: (operation: Operation, error: unknown) => 'open';
}

export function createInquiries(options: InquiriesOptions): Inquiries {
  const { acquirers, db, inquireAfterMs, settling, settlers, notSettled } = options;
  const settle = createSettlement(settling, db);
  const settleAsResolved = createSettlement(settling, db, { byResolution: true });
  const settlerOf = ({ purpose }: Operation) => {
    const settler = settlers[purpose];
    if (settler === undefined) throw new Error(`nobody here settles a ${purpose}`);
    return settler;
  };
  const settledBy = async (settlement: Settlement, operation: Operation, ending: Ending) =>
    (await settlement(settlerOf(operation), operation, ending)) === undefined ? 'open' : 'settled';

  const ask = async (operation: DueOperation): Promise<'settled' | 'open' | 'refused'> => {
    const acquirer = acquirers.of(operation.acquirer);
    const mayClose = closesFor(acquirer.offers(), operation);
    const answer = await acquirer.inquire(operation.id, kindOf[operation.purpose], mayClose);
    const ending = endingOfInquiry(answer, mayClose);
    const resolved = endingResolved(operation);
    // The bank's own answer counts for more than an operator's resolution, unless it is impossible.
    try {
      if (ending !== undefined) return await settledBy(settle, operation, ending);
    } catch (error) {
      if (resolved === undefined || !(error instanceof NotTheOutcome)) throw error;
    }
    if (resolved !== undefined) return settledBy(settleAsResolved, operation, resolved);
    return answer.outcome === 'unreachable' ? 'refused' : 'open';
  };
  const inquire: Inquiries['inquire'] = async (operation) => {
    const result = await inTraceOfInquiry(operation, () =>
      ask(operation).catch((error: unknown) => notSettled(operation, error)),
    );
    // If this fails, the operation is due `inquireAfterMs` after it was taken.
    if (result !== 'settled') await inquireLater(db, operation).catch(() => {});
    return result;
  };

  return {
    takeDue: (acquirer, count) => takeForInquiry(db, acquirer, count, inquireAfterMs),
    inquire,
    settleResolved: async () => {
      // The acquirer's own answer counts for more, so it is asked first. A process cannot ask one that it does not know, or whose mode
      // it has not tried to read.
      const asked = acquirers.names.filter((name) => acquirers.of(name).wasAskedForOffers());
      const results = await Promise.all((await takeResolved(db, asked, inquireAfterMs)).map(inquire));
      return results.filter((result) => result === 'settled').length;
    },
  };
}

/** Logs that the outcome of an operation could not be written down. The operation stays open. */
export const notingFailures =
  (log: { error(fields: object, message: string): void }) => (operation: Operation, error: unknown) => {
    log.error({ error, operationId: operation.id, operationKind: operation.purpose }, 'not settled');
    return 'open' as const;
  };

/** The bank declines a key that an inquiry has closed. Nothing moved under that key, and nothing ever will. */
export function endingOf(answer: Exclude<BankAnswer, { outcome: 'unknown' }>): Ending {
  if (answer.outcome === 'unreachable') return { outcome: 'not_sent' };
  if (answer.outcome === 'retry') return { outcome: 'not_sent', isKeyClosed: true };
  return answer.outcome === 'declined' && answer.declineCode === 'key_closed' ? { outcome: 'not_processed' } : answer;
}

const DAY_MS = 86_400_000;
/** The bank must still have the key when the inquiry arrives. */
const MARGIN_MS = 3_600_000;

/**
 * Whether the acquirer's `not_found` can be final. An acquirer that has forgotten the key would also give it for an operation that it
 * carried out, and one that closes nothing may still get the request; then an operator decides. Until its capabilities are known, the
 * acquirer is assumed to keep keys for a day.
 */
function closesFor(capabilities: Capabilities | undefined, { ageMs }: DueOperation): boolean {
  if (capabilities === undefined) return ageMs < DAY_MS;
  const { inquiry, keepsKeysDays } = capabilities;
  return inquiry === 'close' && (keepsKeysDays === null || ageMs < keepsKeysDays * DAY_MS - MARGIN_MS);
}

/** Undefined if the bank's answer is not final. */
function endingOfInquiry(answer: InquiryAnswer, mayClose: boolean): Ending | undefined {
  if (answer.outcome === 'unreachable' || answer.outcome === 'unknown') return undefined;
  if (answer.outcome !== 'not_found') return endingOf(answer);
  return mayClose && answer.closed ? { outcome: 'not_processed' } : undefined;
}

/** The ending by an operator's resolution. It is read like the bank's answers, so nothing else can be written down. */
function endingResolved({ purpose, resolved }: DueOperation): Ending | undefined {
  if (resolved === null || resolved.outcome === 'not_processed') return resolved ?? undefined;
  const read = readAnswer(kindOf[purpose], resolved);
  return read.outcome === 'unknown' ? undefined : read;
}
