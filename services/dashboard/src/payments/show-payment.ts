import type { PaymentRecord, TimelineOperation } from '@cobro/contracts/payment-timeline.ts';
import { paymentActions, type PaymentAction } from '@cobro/dashboard/payments/action-page.ts';
import { paymentPage } from '@cobro/dashboard/payments/payment-page.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { namesOf } from '../people/person.store.ts';
import { idIn, inTime, orNotFound, READING } from '../http/reading.ts';

interface Timeline {
  payment: PaymentRecord;
  complete: boolean;
  operations: readonly TimelineOperation[];
}

/** GET /payments/{id}: read from the service that owns the payment, so that it is never old. */
export async function showPayment(deps: Deps, visit: SignedIn): Promise<Answer> {
  const [timeline, disbursement] = await Promise.all([readTimeline(visit), readDisbursement(visit)]);
  const promotionName = await nameOfPromotion(visit, timeline.payment.promotionId);
  const people = timeline.operations.flatMap(({ askedBy }) => (askedBy?.kind === 'person' ? [askedBy.id] : []));
  const names = await namesOf(deps.db, people);
  const done = paymentActions.find((action) => action === visit.query.get('done')) ?? null;
  return show(deps, visit, (frame) =>
    paymentPage(frame, { ...timeline, disbursement, promotionName, names, done: saidDone(timeline, done) }),
  );
}

const readDisbursement = ({ api, params: { id = '' } }: SignedIn) => inTime(api.reports.disbursement(id, READING));

async function nameOfPromotion({ api }: SignedIn, id: string | null): Promise<string | null> {
  const promotion = id === null ? null : await inTime(api.promotions.get(id, READING));
  return promotion && promotion.name;
}

/** Confirms what the address says was done, if the status agrees: anybody can write an address. */
function saidDone({ payment }: Timeline, done: PaymentAction | null): PaymentAction | null {
  const after = { capture: 'CONFIRMED', release: 'HOLD_RELEASED', refund: 'REFUNDED' } as const;
  return done !== null && payment.status === after[done] ? done : null;
}

/** The payment that the address names. */
export const readTimeline = async (visit: SignedIn): Promise<Timeline> =>
  orNotFound(visit.api.call('readPaymentTimeline', { params: { id: idIn(visit) } }, READING));
