import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquirerRoutes } from '@cobro/contracts/acquirer/routes.ts';
import { z } from 'zod';
import type { Ledger } from './ledger.store.ts';
import type { Asked, Reply, Route, Routes } from './listener.ts';

/** How the bank breaks the protocol, so that the tests of the conformance kit can see whether the kit notices. */
export const plantedBug = z.enum([
  'forgetsKeysAtRestart',
  'forgetsClosedKeysAtRestart',
  'answersRepeatsAfresh',
  'closesNothing',
  'closesWhatWasDecided',
  'takesUsedKeys',
  'movesTwiceAtOnce',
  'capturesTwice',
  'capturesAbove',
  'refundsAbove',
  'neverExpires',
  'letsGoTooEarly',
  'spendsNoToken',
  'reportsWrongAmounts',
  'asksForNoToken',
  'refusesRecurring',
  'approvesParts',
]);
export type PlantedBug = z.output<typeof plantedBug>;

/** The ledger with the bug in it. */
export function plantInLedger(bug: PlantedBug | undefined, ledger: Ledger): Ledger {
  const bugs: { [B in PlantedBug]?: () => Partial<Ledger> } = {
    forgetsKeysAtRestart: () => {
      const known = new Set<string>();
      return {
        operation: (key) => (known.has(key) ? ledger.operation(key) : undefined),
        addOperation: (operation) => {
          known.add(operation.idempotencyKey);
          if (ledger.operation(operation.idempotencyKey) === undefined) ledger.addOperation(operation);
        },
      };
    },
    forgetsClosedKeysAtRestart: () => {
      const known = new Set<string>();
      return {
        closedKey: (key) => (known.has(key) ? ledger.closedKey(key) : undefined),
        closeKey: (key, at) => {
          known.add(key);
          ledger.closeKey(key, at);
        },
      };
    },
    answersRepeatsAfresh: () => ({
      operation: (key) => {
        const found = ledger.operation(key);
        const answer = found && JSON.stringify({ ...JSON.parse(found.answer), authCode: randomUUID() });
        return found && { ...found, answer: answer ?? '' };
      },
    }),
    closesNothing: () => ({ closeKey: () => {} }),
    capturesTwice: () => ({
      authorization: (reference) => {
        const found = ledger.authorization(reference);
        return found && { ...found, state: found.state === 'captured' ? 'open' : found.state };
      },
    }),
    capturesAbove: () => ({
      authorization: (reference) => {
        const found = ledger.authorization(reference);
        return found && { ...found, amount: found.amount * 2n };
      },
    }),
    neverExpires: () => ({
      authorization: (reference) => {
        const found = ledger.authorization(reference);
        return found && { ...found, authorizedAt: new Date('2099-01-01T00:00:00Z') };
      },
    }),
    letsGoTooEarly: () => ({
      authorization: (reference) => {
        const found = ledger.authorization(reference);
        return found && { ...found, authorizedAt: new Date(found.authorizedAt.getTime() - 86_400_000) };
      },
    }),
    refundsAbove: () => ({ addRefund: () => {} }),
    spendsNoToken: () => ({ spendIfSingleUse: () => {} }),
    reportsWrongAmounts: () => ({
      operationsBetween: (...given) =>
        ledger.operationsBetween(...given).map((one) => ({ ...one, amount: (one.amount ?? 0n) * 2n })),
    }),
  };
  const planted = bug === undefined ? undefined : bugs[bug]?.();
  return { ...ledger, ...planted };
}

/** The routes with the bug in them. */
export function plantInRoutes(bug: PlantedBug | undefined, routes: Routes, ledger: Ledger, now: () => Date): Routes {
  const bugs: { [B in PlantedBug]?: [path: string, into: (route: Route) => Route] } = {
    closesWhatWasDecided: [
      acquirerRoutes.inquire.path,
      (route) => (asked) => {
        const { idempotencyKey, close } = asked.body as { idempotencyKey: string; close: boolean };
        if (!close) return route(asked);
        if (ledger.closedKey(idempotencyKey) === undefined) ledger.closeKey(idempotencyKey, now());
        return { status: 200, body: { outcome: 'not_found', closed: true } };
      },
    ],
    takesUsedKeys: [
      acquirerRoutes.sale.path,
      (route) => async (asked) => {
        const reply: Reply = await route(asked);
        const isReused = typeof reply === 'object' && reply.status === 422;
        return isReused ? { status: 200, body: ledger.operation(asked.idempotencyKey ?? '')?.answer } : reply;
      },
    ],
    movesTwiceAtOnce: [acquirerRoutes.refund.path, twiceAtOnce],
    approvesParts: [
      acquirerRoutes.sale.path,
      (route) => async (asked) => {
        const reply: Reply = await route(asked);
        const { amount } = asked.body as { amount: number };
        if (typeof reply !== 'object' || reply.status !== 200) return reply;
        return { ...reply, body: { ...(JSON.parse(String(reply.body)) as object), amount: Math.ceil(amount / 2) } };
      },
    ],
    refusesRecurring: [
      acquirerRoutes.sale.path,
      (route) => (asked) =>
        'recurring' in (asked.body as object)
          ? { status: 400, body: { error: 'bad_request', message: '' } }
          : route(asked),
    ],
  };
  const [path, into] = (bug === undefined ? undefined : bugs[bug]) ?? [];
  const route = routes[`POST ${path}`];
  return into === undefined || route === undefined ? routes : { ...routes, [`POST ${path}`]: into(route) };
}

function twiceAtOnce(route: Route): Route {
  const running = new Set<string>();
  return async (asked: Asked) => {
    const key = asked.idempotencyKey ?? '';
    if (running.has(key)) return route({ ...asked, idempotencyKey: randomUUID() });
    running.add(key);
    await sleep(50);
    running.delete(key);
    return route(asked);
  };
}
