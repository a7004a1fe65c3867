import { setTimeout as sleep } from 'node:timers/promises';
import { operationKinds } from '@cobro/contracts/acquirer/operation-requests.ts';
import { z } from 'zod';
import type { Reply } from './listener.ts';

const fault = z.enum(['error', 'retry', 'slow', 'held', 'silentDone', 'silentNotDone', 'drop', 'decline', 'rubbish']);
/**
 * error: answers 500 and does nothing. retry: does nothing, closes the key and answers 503. slow: waits, executes, answers. held: the
 * same, but waits until the faults are set anew. silentDone: executes and never answers. silentNotDone: does neither. drop: executes
 * and cuts the connection. decline: declines and keeps a record (an inquiry cannot be declined). rubbish: executes and answers 200
 * with invalid JSON.
 */
export type Fault = z.output<typeof fault>;

const kind = z.enum([...operationKinds, 'inquire']);
type Kind = z.output<typeof kind>;

const share = z.number().min(0).max(1);

/**
 * `rates`: the share of the operations of `kinds` that meet each fault; with one seed, always the same operations. `next`: faults
 * that come before any rate; the next operation of an entry's kind uses the entry up.
 */
export const faultSettings = z.strictObject({
  rates: z
    .partialRecord(fault, share)
    .refine((rates) => Object.values(rates).reduce((sum, rate) => sum + rate, 0) <= 1, 'must not exceed 1 together')
    .default({}),
  kinds: z.array(kind).default([...operationKinds]),
  next: z.array(z.strictObject({ kind, fault })).max(1_000).default([]),
  slowMs: z.int().min(0).max(10_000).default(2_000),
  seed: z.int().default(1),
});
export type FaultSettings = z.output<typeof faultSettings>;

export type Faults = ReturnType<typeof createFaults>;

/** Faults live in memory only, so a bank that starts again has none. */
export function createFaults() {
  let settings = faultSettings.parse({});
  let random = mulberry32(settings.seed);
  let anew = Promise.withResolvers<void>();
  return {
    settings: (): FaultSettings => settings,
    set(wanted: FaultSettings): void {
      settings = wanted;
      random = mulberry32(wanted.seed);
      anew.resolve();
      anew = Promise.withResolvers<void>();
    },
    /** Resolves when these settings are replaced. */
    replaced: (): Promise<void> => anew.promise,
    /** The fault that this operation meets, if any. */
    draw(met: Kind): Fault | undefined {
      const aimed = settings.next.findIndex((entry) => entry.kind === met);
      if (aimed >= 0) return settings.next.splice(aimed, 1)[0]?.fault;
      if (!settings.kinds.includes(met)) return undefined;
      const drawn = random();
      let reached = 0;
      return fault.options.find((option) => drawn < (reached += settings.rates[option] ?? 0));
    },
  };
}

/** Runs `act` as the fault demands. If the fault has no wait, `act` has run when this returns. */
export async function underFault(
  met: Fault | undefined,
  { settings, replaced }: Pick<Faults, 'settings' | 'replaced'>,
  act: () => Reply,
): Promise<Reply> {
  switch (met) {
    case 'error':
      return { status: 500, body: { error: 'internal', message: 'the bank could not do it' } };
    case 'silentNotDone':
      return 'silence';
    case 'silentDone':
      act();
      return 'silence';
    case 'drop':
      act();
      return 'drop';
    case 'rubbish':
      act();
      return { status: 200, body: '{"outcome":"approved","reference":' };
    case 'slow':
      await sleep(settings().slowMs);
      return act();
    case 'held':
      await replaced();
      return act();
    case 'retry':
    case 'decline':
    case undefined:
      return act();
  }
}

/** A small seeded generator of numbers in [0, 1), public domain. */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
