import { uuid } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { PaymentRecord, TimelineOperation } from '@cobro/contracts/payment-timeline.ts';
import { paymentActions, type PaymentAction } from '@cobro/dashboard/payments/action-page.ts';
import { paymentPage } from '@cobro/dashboard/payments/payment-page.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { namesOf } from '../people/person.store.ts';
import { inTime, READING } from './reading.ts';

interface Timeline {
  payment: PaymentRecord;
  complete: boolean;
  operations: readonly TimelineOperation[];
}

/** GET /payments/{id}: from the service that owns the payment, so that it is never old. */
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

/** What the address says was done is said only where it was: anybody can write an address. */
function saidDone({ payment }: Timeline, done: PaymentAction | null): PaymentAction | null {
  const after = { capture: 'CONFIRMED', release: 'HOLD_RELEASED', refund: 'REFUNDED' } as const;
  return done !== null && payment.status === after[done] ? done : null;
}

/** @throws Refusal 404 where it is another organization's, 503 where it cannot be read now */
export async function readTimeline({ api, params }: SignedIn): Promise<Timeline> {
  const { success, data: id } = uuid.safeParse(params['id']);
  if (!success) throw new Refusal('NOT_FOUND');
  const result = await api.call('readPaymentTimeline', { params: { id } }, READING).result();
  if (result.kind === 'done') return result.value;
  if (result.kind === 'refused' && result.refusal.status < 500) throw new Refusal('NOT_FOUND');
  throw new Refusal('SERVICE_UNAVAILABLE');
}
