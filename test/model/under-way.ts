import { type Expected, refused } from './expected.ts';
import type { Request } from './steps.ts';

/** While the first request is at the bank, the second may be refused with this code. */
const inProgress: Partial<Record<Request['op'], string>> = {
  capture: 'CAPTURE_IN_PROGRESS',
  release: 'RELEASE_IN_PROGRESS',
  refund: 'REFUND_IN_PROGRESS',
  refundLink: 'REFUND_IN_PROGRESS',
  refundIntent: 'REFUND_IN_PROGRESS',
  refundPaymentOfLink: 'REFUND_IN_PROGRESS',
  payLink: 'PAYMENT_IN_PROGRESS',
  tap: 'INTENT_IN_PROGRESS',
  collect: 'CHARGE_IN_PROGRESS',
};

/** The refusal of a repeated request if the first one takes longer than the two seconds that the repeat waits. */
const waitedFor: Partial<Record<Request['op'], string>> = {
  save: 'SAVE_IN_PROGRESS',
  charge: 'CHARGE_IN_PROGRESS',
  subscribe: 'CHARGE_IN_PROGRESS',
  payPaymentLink: 'CHARGE_IN_PROGRESS',
};

/** The answer that the second of two requests may get, without any effect, because the first is under way. */
export function whileUnderWay(first: Request, came: Expected, second: Request, after: Expected): Expected | undefined {
  // A terminal is shown nothing while it charges.
  if (second.op === 'next') return first.op === 'tap' ? { status: 204 } : undefined;
  const isRepeat = first.op === second.op && after.replayed === true && came.replayed !== true;
  const code = inProgress[first.op] ?? (isRepeat ? waitedFor[first.op] : undefined);
  const reachedBank = came.status < 300 || came.status === 402;
  return code === undefined || !reachedBank ? undefined : refused(409, code);
}
