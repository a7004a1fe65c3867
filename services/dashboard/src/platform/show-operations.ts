import { within } from '@cobro/async/time-limit.ts';
import * as contracts from '@cobro/contracts/routes/platform-operations.ts';
import { operationsPage } from '@cobro/dashboard/platform/operations.ts';
import { dayInMexicoCity } from '@cobro/domain/mexico-city.ts';
import type { Deps } from '../deps.ts';
import { inTime, READING } from '../http/reading.ts';
import type { SignedIn } from '../http/screen.ts';
import { show } from '../http/show.ts';
import type { Answer } from '../http/visit.ts';

const { withinMs } = READING;

/** Books are compared at half past midnight, real time. From two o’clock on, yesterday's should be. */
const DUE_AFTER_MS = 26 * 3_600_000;

/** GET /platform/operations: what an operator has to look into. Only operators' commands change it. */
export async function showOperations(deps: Deps, visit: SignedIn): Promise<Answer> {
  const { api } = visit;
  const [payments, holds, books, events, parked] = await Promise.all([
    inTime(api.ofPeople(contracts.listOpenOperations, {}, withinMs)),
    inTime(api.ofPeople(contracts.listOpenHoldOperations, {}, withinMs)),
    inTime(api.ofPeople(contracts.listReconciliations, {}, withinMs)),
    inTime(api.ofPeople(contracts.listEventReconciliations, {}, withinMs)),
    within(withinMs, deps.countParked()).catch(() => undefined),
  ]);
  const compared = books && events && [...books.items, ...events.items];
  const view = {
    open: payments && holds && { count: payments.count + holds.count, items: [...payments.items, ...holds.items] },
    parked: parked ?? null,
    compared: compared && compared.toSorted((a, b) => b.day.localeCompare(a.day)),
    due: dayInMexicoCity(new Date(Date.now() - DUE_AFTER_MS)),
  };
  return show(deps, visit, (frame) => operationsPage(frame, view));
}
