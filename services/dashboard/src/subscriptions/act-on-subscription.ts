import type { Result } from '@cobro/client/refusal.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import {
  type SubscriptionAction,
  subscriptionActionPage,
  subscriptionActions,
} from '@cobro/dashboard/subscriptions/subscription-action-page.ts';
import { subscriptionHref, type SubscriptionProblem } from '@cobro/dashboard/subscriptions/subscription-parts.ts';
import { audited } from '../audit/audited.ts';
import type { Deps } from '../deps.ts';
import { problemOf } from '../http/problem.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import { type Answer, field, redirect } from '../http/visit.ts';
import { readSubscription } from './show-subscription.ts';

/** GET /subscriptions/{id}/{action}: the form alone, for browsers without script. */
export const showSubscriptionAction = (deps: Deps, visit: SignedIn): Promise<Answer> =>
  draw(deps, visit, askedIn(visit, visit.query), null);

/** POST /subscriptions/{id}/{action}: repeated, it does nothing more. */
export async function actOnSubscription(deps: Deps, visit: SignedIn): Promise<Answer> {
  const asked = askedIn(visit, visit.form);
  const { id } = await readSubscription(visit);
  const result = await audited(deps, visit, {
    what: `subscription.${asked.action}`,
    target: id,
    send: () => send(visit, id, asked),
  });
  if (result.kind !== 'done') return draw(deps, visit, asked, problemOf(visit, result));
  return redirect(`${subscriptionHref(id)}?done=${result.status === 202 ? 'waiting' : asked.action}`);
}

type Asked = { action: Exclude<SubscriptionAction, 'collect'>; number: null } | { action: 'collect'; number: number };

/** @throws Refusal 404 for an unknown action, or a period that is no number */
function askedIn({ params }: SignedIn, given: URLSearchParams): Asked {
  const action = subscriptionActions.find((one) => one === params['action']);
  const number = /^[1-9]\d{0,5}$/.exec(field(given, 'number'))?.[0];
  if (action === undefined) throw new Refusal('NOT_FOUND');
  if (action !== 'collect') return { action, number: null };
  if (number === undefined) throw new Refusal('NOT_FOUND');
  return { action, number: Number(number) };
}

/** Each action is sent once, because a lost one may have been carried out. */
function send({ api }: SignedIn, id: string, asked: Asked): Promise<Result<unknown>> {
  const once = { attempts: 1 };
  switch (asked.action) {
    case 'pause':
      return api.subscriptions.pause(id, once).result();
    case 'resume':
      return api.subscriptions.resume(id, once).result();
    case 'cancel':
      return api.subscriptions.cancel(id, {}, once).result();
    case 'cancel-at-end':
      return api.subscriptions.cancel(id, { atPeriodEnd: true }, once).result();
    case 'collect':
      return api.subscriptions.collect(id, asked.number, once).result();
  }
}

async function draw(deps: Deps, visit: SignedIn, asked: Asked, problem: SubscriptionProblem | null): Promise<Answer> {
  const subscription = await readSubscription(visit);
  return show(deps, visit, (frame) => subscriptionActionPage(frame, { ...asked, subscription, problem }));
}
