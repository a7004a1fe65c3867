import type { Subscription } from '@cobro/contracts/subscriptions.ts';
import { subscriptionPage, type SubscriptionView } from '@cobro/dashboard/subscriptions/subscription-page.ts';
import type { Deps } from '../deps.ts';
import { pageIn } from '../http/page-of-list.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';
import { idIn, inTime, orNotFound, READING } from '../http/reading.ts';

const RUNGS = 24;

/** GET /subscriptions/{id} */
export async function showSubscription(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { api, query } = visit;
  const subscription = await readSubscription(visit);
  const page = pageIn(query);
  const [card, periods] = await Promise.all([
    inTime(api.paymentMethods.get(subscription.paymentMethodId, READING)),
    inTime(api.subscriptions.periods(subscription.id, { page, pageSize: RUNGS }, READING)),
  ]);
  const done = doneTo(subscription, query.get('done'));
  const rungs = periods && { rows: periods.items, page, hasMore: periods.count > page * RUNGS };
  return show(deps, visit, (frame) => subscriptionPage(frame, { subscription, card, periods: rungs, done }));
}

/** Confirms what the address says was done, if the status allows it. */
function doneTo({ status, cancelAtPeriodEnd }: Subscription, said: string | null): SubscriptionView['done'] {
  const may: Partial<Record<NonNullable<SubscriptionView['done']>, boolean>> = {
    created: status === 'ACTIVE',
    pause: status === 'PAUSED',
    resume: status === 'ACTIVE' || status === 'PAST_DUE',
    cancel: status === 'CANCELLED',
    'cancel-at-end': cancelAtPeriodEnd || status === 'CANCELLED',
    collect: true,
    waiting: true,
  };
  const named = Object.entries(may).find(([name, isTrue]) => name === said && isTrue);
  return (named?.[0] as SubscriptionView['done']) ?? null;
}

/** The subscription that the address names. */
export const readSubscription = async (visit: SignedIn): Promise<Subscription> =>
  orNotFound(visit.api.subscriptions.get(idIn(visit), READING));
