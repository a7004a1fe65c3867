import type { Answer, Ending } from './answer.ts';
import { unknown } from './answer.ts';
import { settleCharge } from './charge.ts';
import type { Deps, UnderWay } from './deps.ts';
import { settleEnding } from './ending-of-hold.ts';
import { closeCancelled, closeUnsent, decide, find, type Operation } from './operation.store.ts';
import { settleRefund } from './refund.ts';

type InquiryAnswer = Answer | { outcome: 'in_progress' } | { outcome: 'not_found'; closed: boolean };
const inProgress: InquiryAnswer = { outcome: 'in_progress' };
const closed: InquiryAnswer = { outcome: 'not_found', closed: true };

/** What became of the operation with this key. Without `close`, as in reconciliation, it is only looked up and moves no money. */
export async function inquire(
  deps: Deps,
  underWay: UnderWay,
  { idempotencyKey: key, close }: { idempotencyKey: string; close: boolean },
): Promise<InquiryAnswer> {
  const { db } = deps;
  const operation = await find(db, key);
  const said = operation === undefined ? undefined : shownOf(operation);
  if (said !== undefined) return said;
  if (operation === undefined && !close) return { outcome: 'not_found', closed: false };
  if (operation?.sentAt == null) {
    if (!close) return inProgress;
    if (await closeUnsent(db, key)) return closed;
    const sooner = await find(db, key);
    return (sooner && shownOf(sooner)) ?? inProgress;
  }
  // This process waits for Stripe's own answer, which is surer than a look-up.
  if (underWay.has(key)) return inProgress;
  const ending = await settle(deps, operation, close);
  if (ending.is === 'decided') await decide(db, key, ending.answer, operation.closingAt !== null);
  if (ending.is === 'closed') await closeCancelled(db, key);
  const now = await find(db, key);
  return (now && shownOf(now)) ?? inProgress;
}

const shownOf = ({ answer, closedAt }: Operation): InquiryAnswer | undefined =>
  closedAt === null ? (answer ?? undefined) : closed;

async function settle(deps: Deps, operation: Operation, close: boolean): Promise<Ending> {
  switch (operation.kind) {
    case 'authorize':
    case 'sale':
      return settleCharge(deps, operation, close);
    case 'capture':
    case 'void':
      return settleEnding(deps, operation, { mayRepeat: close });
    case 'refund':
      return settleRefund(deps, operation, { mayRepeat: close });
    case 'tokenize':
    case null:
      return unknown;
  }
}
