import { backgroundPermit } from '@cobro/bank/bank-permits.ts';
import { Refusal, type RefusalCode } from '@cobro/contracts/refusals.ts';
import { type Job, startJob } from '@cobro/service-kit/job.ts';
import type { Deps } from '../deps.ts';
import { cardToCharge, chargePeriod, triedNow } from './charge-period.ts';
import type { SubscriptionRow } from './subscription.row.ts';
import { counts, endByClock, nextStep, putOffUntil } from './subscription.rules.ts';
import {
  type Changes,
  changeSubscription,
  findAnySubscription,
  putOff,
  sleepUntil,
  takeDue,
} from './subscription.store.ts';

const EVERY_MS = 1_000;
/** How many subscriptions one process works on at a time. */
const AT_ONCE = 10;

/** Runs in every replica: charges due renewals and retries, and ends what is over. */
export function chargeSubscriptions(deps: Deps): Job {
  const { db, journal, clock, log } = deps;
  const running = new Set<Promise<void>>();
  const job = startJob({
    name: 'charge-subscriptions',
    everyMs: EVERY_MS,
    log,
    run: async () => {
      const present = journal.acquirers.filter((acquirer) => !journal.isAway(acquirer));
      const due = await takeDue(db, { now: clock.now(), present }, AT_ONCE - running.size);
      for (const { id } of due) {
        const one = tend(deps, id)
          // When its lease has run out, the next run that takes it begins anew.
          .catch((error: unknown) => log.error({ error }, 'a subscription was not looked after'))
          .finally(() => running.delete(one));
        running.add(one);
      }
      if (running.size >= AT_ONCE) await Promise.race(running);
      return due.length;
    },
  });
  return {
    stop: async () => {
      await job.stop();
      await Promise.all(running);
    },
  };
}

async function tend(deps: Deps, id: string): Promise<void> {
  const now = deps.clock.now();
  const row = await findAnySubscription(deps.db, id, now);
  if (row === undefined) return;
  const step = nextStep(row, now);
  if (step.do === 'wait') await sleepUntil(deps.db, row, step.until);
  else if (step.do === 'end') await changeSubscription(deps.db, row, { ...endByClock(row, now) }, now);
  else await charge(deps, row, step.number);
}

/** Refusals that leave a period without a payment, with the lastDeclineCode of each. */
const NOTHING_TO_CHARGE: { [C in RefusalCode]?: string } = {
  PAYMENT_METHOD_NOT_ACTIVE: 'payment_method_not_active',
  FEE_CHANNEL_UNKNOWN: 'fee_channel_unknown',
  NOT_OFFERED_BY_ACQUIRER: 'not_offered_by_acquirer',
};

/** What changes if there is nothing to charge with. A card that the bank has declined for good keeps that decline code. */
function foundNothing(row: SubscriptionRow, number: number, code: string, now: Date): Changes {
  const { isHard } = row;
  const found = { lastDeclineCode: isHard ? (row.lastDeclineCode ?? code) : code, triesAgain: false };
  if (!counts(row, number, now)) return found;
  const tried = triedNow(row, number, now);
  const lastAt = isHard ? tried.retriesEndAt : tried.periodEndsAt;
  return { ...tried, ...found, givesUpAt: now >= tried.retriesEndAt ? now : lastAt, isPastDue: true };
}

async function charge(deps: Deps, row: SubscriptionRow, number: number): Promise<void> {
  const { db, journal, clock } = deps;
  try {
    const method = await cardToCharge(deps, row);
    const { acquirer } = method;
    // An acquirer that this process does not know is asked by others.
    if (!journal.acquirers.includes(acquirer) || journal.isAway(acquirer))
      return void (await putOff(db, row, { acquirer, until: putOffUntil(row, clock.now()) }));
    await chargePeriod(deps, row, method, number, backgroundPermit(acquirer, row.organizationId));
  } catch (error) {
    const lastDeclineCode = error instanceof Refusal ? NOTHING_TO_CHARGE[error.code] : undefined;
    if (lastDeclineCode === undefined) throw error;
    const now = clock.now();
    await changeSubscription(db, row, foundNothing(row, number, lastDeclineCode, now), now);
  }
}
