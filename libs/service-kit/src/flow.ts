import { createInFlight } from '@cobro/async/in-flight.ts';
import { backOff, pause } from '@cobro/async/time-limit.ts';
import type { Waker } from '@cobro/async/waker.ts';
import type { Job } from './job.ts';
import type { Log } from './log.ts';

/**
 * How work on one item ended: `done`, or `refused` if the other side took nothing, so that it makes no sense to try the next item
 * at once.
 */
export type WorkResult = 'done' | 'refused';

/** How many items may be in work. */
export interface FlowBounds {
  /** At once, while they are quick. */
  atOnce: number;
  /** How many items that have taken longer than `slowAfterMs` may leave their room to others. */
  slowAtOnce: number;
  slowAfterMs: number;
}

/** The pace of a flow that makes way for other work. */
export interface FlowPace {
  /** The most items taken together. Their writes travel together. */
  inGroup: number;
  /** The most items begun a second. In the pauses between groups the processors are free for other work. */
  perSecond: number;
}

export interface FlowOptions<Item> extends FlowBounds {
  name: string;
  log: Log;
  /** How long to wait when there is nothing to do. */
  everyMs: number;
  /** New work may end the wait, but not before `leastMs`. */
  woken?: { by: Waker; leastMs: number };
  /** While this is true nothing is taken. */
  isPaused?: () => boolean;
  /** While this gives a pace, the flow goes no faster. */
  pace?: () => FlowPace | undefined;
  /** Takes at most `count` items, which nobody else gets meanwhile. */
  take: (count: number) => Promise<readonly Item[]>;
  work: (item: Item) => Promise<WorkResult>;
}

const pauseAfter = backOff(500, 8_000);
const NO_PACE: FlowPace = { inGroup: Number.POSITIVE_INFINITY, perSecond: Number.POSITIVE_INFINITY };

/**
 * Does timed work as a flow, in every replica: a fixed number of items is in work, and each that ends is replaced, at once or at
 * a pace. Slow ones step aside. After a refusal the flow pauses, ever longer, and then tries a single item, until one is not refused.
 */
export function startFlow<Item>(options: FlowOptions<Item>): Job {
  const { name, log, everyMs, woken, isPaused = () => false, pace = () => undefined, take, work } = options;
  const stopping = new AbortController();
  const room = createRoom(options);
  const trials = createTrials();
  const wait = (ms: number) => pause(ms, stopping.signal);
  const rest = () => woken?.by.pause(woken.leastMs, everyMs, stopping.signal) ?? wait(everyMs);

  const run = async (item: Item, isTrial: boolean) => {
    const result = await work(item).catch((error: unknown): WorkResult => {
      log.error({ error, job: name }, 'work of a flow failed');
      return 'refused';
    });
    trials.learn(result, isTrial);
  };
  /** Takes as many items as there is room for, and pauses as the pace demands. Returns false if there were fewer. */
  const refill = async (): Promise<boolean> => {
    const isTrial = trials.isOff();
    const { inGroup, perSecond } = pace() ?? NO_PACE;
    const wanted = isTrial ? 1 : Math.min(room.free(), inGroup);
    const begun = performance.now();
    const items = await take(wanted);
    if (isTrial && items.length > 0) trials.begin();
    for (const item of items) room.occupy(run(item, isTrial));
    const pauseMs = begun + (items.length * 1_000) / perSecond - performance.now();
    if (pauseMs > 0) await wait(pauseMs);
    return items.length === wanted;
  };
  // A take is a transaction, which is not worth it for a few items.
  const worthTaking = Math.ceil(options.atOnce / 4);
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const pauseMs = trials.pauseMs();
      if (pauseMs > 0) await wait(pauseMs);
      else if (isPaused()) await wait(everyMs);
      else if (trials.isTrying() || room.free() < worthTaking) await room.change();
      else {
        const more = await refill().catch((error: unknown) => {
          log.error({ error, job: name }, 'job failed');
          return false;
        });
        if (!more) await rest();
      }
    }
    await room.empty();
  };
  const running = loop();
  return {
    stop: () => {
      stopping.abort();
      room.wake();
      return running;
    },
  };
}

/** Counts the items in work, and the slow ones among them. */
function createRoom({ atOnce, slowAtOnce, slowAfterMs }: FlowBounds) {
  const works = createInFlight();
  let slow = 0;
  let wake: () => void = () => {};
  return {
    free: () => Math.max(0, atOnce + Math.min(slow, slowAtOnce) - works.count()),
    occupy: (work: Promise<void>) => {
      let isSlow = false;
      const timer = setTimeout(() => {
        isSlow = true;
        slow++;
        wake();
      }, slowAfterMs);
      const end = () => {
        clearTimeout(timer);
        if (isSlow) slow--;
        wake();
      };
      void works.add(work).finally(end);
    },
    /** Resolves when there may be room again, or when `wake` is called. */
    change: () => new Promise<void>((resolve) => (wake = resolve)),
    wake: () => wake(),
    empty: works.idle,
  };
}

/** After a refusal: a pause, then a single trial, and so on with longer pauses until an item is not refused. */
function createTrials() {
  let refusals = 0;
  let pausedUntil = 0;
  let trying = false;
  return {
    isOff: () => refusals > 0,
    isTrying: () => trying,
    pauseMs: () => pausedUntil - performance.now(),
    begin: () => void (trying = true),
    learn: (result: WorkResult, isTrial: boolean) => {
      if (isTrial) trying = false;
      if (result === 'done') refusals = 0;
      // Items that were in work together are refused together, which counts once.
      else if (performance.now() >= pausedUntil) {
        pausedUntil = performance.now() + pauseAfter(refusals);
        refusals++;
      }
    },
  };
}
