import { randomUUID } from 'node:crypto';
import { countRefusedAttempts } from './metrics.ts';
import { networkOf } from './network.ts';
import type { SlotLimit } from './own-slots.ts';
import { createSharedSlots, type SharedSlotsOptions } from './shared-slots.ts';

/** How many attempts of each kind may be declined in 10 minutes (interface-decisions.md, "abuse"). */
const LIMITS = {
  link: { card: 5, link: 20, address: 50 },
  paymentLink: { card: 5, paymentLink: 50 },
  terminal: { card: 5, terminal: 20 },
  saving: { card: 5 },
} as const;

/** Many customers may pay one payment link at once, so an attempt counts for it only after its decline. */
const COUNTS_ONCE_DECLINED = 'paymentLink';

type At = keyof typeof LIMITS;
type LimitOf<A extends At> = Extract<
  keyof (typeof LIMITS)[A],
  'card' | 'link' | 'paymentLink' | 'address' | 'terminal'
>;

/**
 * What an attempt counts for: `card` is the keyed hash of a card's number without its expiry, because trying other expiries
 * must bring no new slots; `address` is the payer's as the gateway passed it on; the rest are ids.
 */
export type Attempt<A extends At> = Readonly<Record<LimitOf<A>, string>>;

export type Slot =
  | {
      refused: false;
      /** Frees the slot. Call it unless the attempt was declined. A second call changes nothing. Never rejects. */
      free(): Promise<void>;
      /** After a decline: reserves the slot under limits that count only declines, and again if another request freed it. Never rejects. */
      keep(): Promise<void>;
    }
  | {
      refused: true;
      /** Whole seconds until the limit has room again, at least 1. */
      retryAfterS: number;
    };

export interface DeclineLimits<A extends At> {
  /**
   * Reserves a slot for one attempt under all of its limits, or under none if one is full. Limits that count only declines are checked,
   * not reserved. Call it before the vault is asked. Takes at most 70 ms, whatever Redis does, and never rejects. A slot expires.
   * @param id equal for repeated requests of one attempt, which share one slot
   */
  reserve(attempt: Attempt<A>, id?: string): Promise<Slot>;
}

/** @param options.at what is attempted; each counts its own declines */
export function createDeclineLimits<A extends At>(options: SharedSlotsOptions & { at: A }): DeclineLimits<A> {
  const { at } = options;
  const slots = createSharedSlots(options);
  const countRefused = countRefusedAttempts(at);
  const limits = Object.entries(LIMITS[at]) as [LimitOf<A>, number][];
  const limitsOf = (attempt: Attempt<A>): SlotLimit[] =>
    limits.map(([name, most]) => {
      const value = name === 'address' ? networkOf(attempt[name]) : attempt[name];
      return { key: `declines:${at}:${name}:${value}`, most, isLookedAt: name === COUNTS_ONCE_DECLINED };
    });
  return {
    reserve: async (attempt, id = randomUUID()) => {
      const wanted = limitsOf(attempt);
      const full = await slots.reserve(id, wanted);
      if (full === undefined) {
        return {
          refused: false,
          free: () => slots.free(id, wanted),
          // One by one: if a limit is full meanwhile, the others still count.
          keep: async () => void (await Promise.all(wanted.map(({ key, most }) => slots.reserve(id, [{ key, most }])))),
        };
      }
      const name = limits[full.index]?.[0];
      if (name !== undefined) countRefused(name);
      return { refused: true, retryAfterS: Math.max(1, Math.ceil(full.waitMs / 1_000)) };
    },
  };
}
