import { setTimeout as sleep } from 'node:timers/promises';
import { difference, differencesRead } from './compare.ts';
import { at, emptyModel, type Model, priceOf, SWEPT_AFTER, windowEnd } from './model.ts';
import { candidatesOf, passAll } from './predict.ts';
import type { Ask, Request, Step } from './steps.ts';
import { nextTimes } from './subscription.ts';
import type { World } from './world.ts';

/** Longer than the sweep needs, and the broker for events whose hand-over was too late. */
const AGREED_WITHIN_MS = 60_000;
/** A step needs this much of the ten seconds before the sweep. */
const ROOM_MS = 5_000;

/** Replaces the number of a record by the position of an existing one; undefined if there is none. */
function resolve(model: Model, ask: Ask): Request | undefined {
  const among = (positions: number[], number: number) =>
    positions.length === 0 ? undefined : positions[number % positions.length];
  const all = (records: unknown[]) => records.map((_, position) => position);
  // A period shows only the last of its attempts, so the ids of the others are not known.
  const ofCards = all(model.payments).filter((position) => {
    const payment = model.payments[position];
    return payment?.id !== undefined && 'card' in payment.origin;
  });
  const ofLinks = all(model.payments).filter((position) => 'paymentLink' in (model.payments[position]?.origin ?? {}));
  if ('card' in ask) return withPosition(ask, 'card', among(all(model.cards), ask.card));
  if ('payment' in ask) return withPosition(ask, 'payment', among(ofCards, ask.payment));
  if ('link' in ask) return withPosition(ask, 'link', among(all(model.links), ask.link));
  if ('intent' in ask) return withPosition(ask, 'intent', among(all(model.intents), ask.intent));
  if ('linkPayment' in ask) return withPosition(ask, 'linkPayment', among(ofLinks, ask.linkPayment));
  if ('paymentLink' in ask) {
    const paymentLink = among(all(model.paymentLinks), ask.paymentLink);
    if (paymentLink === undefined || ask.op !== 'payPaymentLink') return withPosition(ask, 'paymentLink', paymentLink);
    return { ...ask, paymentLink, amount: ask.amount ?? priceOf(at(model.paymentLinks, paymentLink), model) };
  }
  if ('subscription' in ask) {
    return withPosition(ask, 'subscription', among(all(model.subscriptions), ask.subscription));
  }
  if ('promotion' in ask) return withPosition(ask, 'promotion', among(all(model.promotions), ask.promotion));
  if ('product' in ask) return withPosition(ask, 'product', among(all(model.products), ask.product));
  return ask;
}

const withPosition = (ask: Ask, field: string, position: number | undefined): Request | undefined =>
  position === undefined ? undefined : { ...ask, [field]: position };

export interface Sides {
  world: World;
  /** Makes the bank decline the next sale. */
  declineNextSale(): Promise<void>;
}

/** Runs the steps. Compares each answer and, after each step, all that can be read with the model. */
export async function runSteps(sides: Sides, steps: readonly Step[]): Promise<Model> {
  const { world } = sides;
  let model = emptyModel();
  let last: Request | undefined;
  for (const step of steps) {
    model = await sweepFirst(world, model);
    if (step.kind === 'pass') model = await passUntil(world, model, world.now() + step.hours * 3_600_000);
    else if (step.kind === 'toRenewal') {
      const [one] = chosen(model.subscriptions, step.subscription);
      const next = one === undefined ? [] : nextTimes(one, world.now());
      if (next.length > 0) model = await passUntil(world, model, Math.min(...next) + step.seconds * 1_000);
    } else if (step.kind === 'toWindowEnd') {
      const ends = windowEnds(model);
      const end = ends[step.payment % ends.length];
      if (end !== undefined) model = await passUntil(world, model, end + step.seconds * 1_000);
    } else {
      const requests = requestsOf(model, step, last);
      if (requests.length > 0) model = await send(sides, model, requests);
      last = requests.at(-1) ?? last;
    }
  }
  return model;
}

async function send({ world, declineNextSale }: Sides, model: Model, requests: Request[]): Promise<Model> {
  const about = requests.map((request) => JSON.stringify(request)).join(' together with ');
  const from = world.now();
  const early = candidatesOf(model, requests, from);
  const [only] = requests.length === 1 ? requests : [];
  if (only?.op === 'payLink' && early[0]?.answers[0]?.expected.status === 402) await declineNextSale();
  const answers = await Promise.all(requests.map((request) => world.send(model, request)));
  const window = { from, to: world.now() };
  // On a slow machine the sweep may have come, or a window ended, while the requests were under way.
  const candidates = [...early, ...candidatesOf(model, requests, window.to)];
  const tried = candidates.map((candidate) => ({
    candidate,
    differences: answers.flatMap((answer, i) => {
      const expected = candidate.answers[i];
      return expected === undefined ? [] : (difference(expected, candidate.model, answer, window) ?? []);
    }),
  }));
  const fitting = tried.filter(({ differences }) => differences.length === 0).map(({ candidate }) => candidate.model);
  if (fitting.length > 0) return agreeWith(world, fitting, from, about);
  throw new Error(`${about}:\n${tried.map(({ differences }) => differences.join('\nand ')).join('\nor ')}`);
}

/** The one of these models with which all records agree. @throws if there is none */
async function agreeWith(world: World, models: Model[], since: number, about: string): Promise<Model> {
  const end = Date.now() + AGREED_WITHIN_MS;
  let differences: string[] = [];
  while (Date.now() < end) {
    // The clock runs on meanwhile.
    for (const model of models.flatMap((one) => [one, passed(one, world.now())])) {
      differences = await differencesRead(model, world, since);
      if (differences.length === 0) return model;
    }
    await sleep(20);
  }
  throw new Error(`after ${about}:\n${differences.join('\n')}`);
}

/** Moves the clock on to this time, if it is not there yet. */
async function passUntil(world: World, model: Model, time: number): Promise<Model> {
  const now = world.now();
  // The sweep may have come between two steps.
  const from = Math.min(now, ...windowEnds(model).map((end) => end + SWEPT_AFTER));
  if (time > now) await world.moveTo(time);
  return agreeWith(
    world,
    [passed(model, world.now())],
    from,
    `the clock has come to ${new Date(world.now()).toISOString()}`,
  );
}

function passed(model: Model, now: number): Model {
  const after = structuredClone(model);
  passAll(after, now);
  return after;
}

const chosen = <T>(all: readonly T[], number: number): T[] => (all.length === 0 ? [] : [at(all, number % all.length)]);

const windowEnds = ({ payments }: Model): number[] =>
  payments.flatMap(({ status, heldAt }) => (status === 'HELD' && heldAt ? [windowEnd(heldAt)] : []));

/** A hold stays HELD for ten seconds after its window. If too few of them are left for a step, lets the sweep come first. */
async function sweepFirst(world: World, model: Model): Promise<Model> {
  const due = windowEnds(model).filter((end) => world.now() > end + SWEPT_AFTER - ROOM_MS);
  return due.length === 0 ? model : passUntil(world, model, Math.max(...due) + SWEPT_AFTER + 1);
}

function requestsOf(
  model: Model,
  step: Extract<Step, { kind: 'ask' | 'both' | 'again' }>,
  last: Request | undefined,
): Request[] {
  if (step.kind === 'again') return last === undefined ? [] : [last];
  if (step.kind === 'ask') {
    const request = resolve(model, step.ask);
    return request === undefined ? [] : [request];
  }
  // Of two simultaneous sales it is not known which one the bank declines, except by the card's number.
  const approved = (ask: Ask): Ask => (ask.op === 'payLink' ? { ...ask, declined: false } : ask);
  return step.asks.map(approved).flatMap((ask) => resolve(model, ask) ?? []);
}
