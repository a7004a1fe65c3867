import type { AnswerOf } from '@cobro/contracts/route.ts';
import type { captureHold as contract } from '@cobro/contracts/routes/saved-card-payments.ts';
import type { Outcome } from '@cobro/bank/journal.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { whereUnavailable } from '@cobro/postgres/unavailable.ts';
import { accepted, ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { alreadyFree, showHold } from './hold.rules.ts';
import type { HoldRow } from './hold.row.ts';
import { findHold } from './hold.store.ts';

/** The answer to a capture or release, by the operation's outcome at the bank. */
export async function answerOperation(
  deps: Deps,
  hold: HoldRow,
  outcome: Outcome<HoldRow>,
  declined: 'CAPTURE_DECLINED' | 'RELEASE_DECLINED',
): Promise<AnswerOf<typeof contract>> {
  switch (outcome.outcome) {
    case 'not_sent':
      throw new Refusal('BANK_UNAVAILABLE');
    case 'unknown':
      return comeBack(hold, deps.clock.now());
    case 'approved':
      break;
    case 'declined':
    case 'not_processed': {
      const declineCode = outcome.outcome === 'declined' ? outcome.declineCode : 'not_processed';
      // If the bank refuses a void because the funds are free already, the hold has ended as well.
      if (declined === 'RELEASE_DECLINED' && alreadyFree(declineCode)) break;
      throw new Refusal(declined, { fields: { declineCode, paymentId: hold.paymentId } });
    }
  }
  const row = outcome.row ?? (await readSettled(deps.db, hold));
  const now = deps.clock.now();
  return row === undefined ? comeBack(hold, now) : ok(showHold(row, now));
}

/** The hold that an inquiry settled before us. Undefined if the database is unavailable: a 503 would say that nothing was sent. */
const readSettled = (db: Deps['db'], { paymentId }: HoldRow): Promise<HoldRow | undefined> =>
  findHold(db, paymentId).catch(whereUnavailable(undefined));

/**
 * Answers 202 with the hold as it was claimed. The database is not asked, because it may be why the outcome could not be written
 * down.
 */
function comeBack(hold: HoldRow, now: Date): AnswerOf<typeof contract> {
  return accepted(showHold(hold, now), `/api/payment-method/${hold.paymentMethodId}/payment/${hold.paymentId}`);
}
