import type { NextIntent } from './cardholder.ts';
import type { EntryMode } from './card.ts';
import type { TapEnd } from './pay-until-known.ts';
import type { Result } from '@cobro/client/refusal.ts';

/** One attempt at one intent. */
interface Attempt {
  intent: NextIntent;
  attemptId: string;
}

/** A step of a terminal. `at` is the `performance.now()` at which it happened. */
export type Step = { at: number } & (
  | { kind: 'waiting' }
  | { kind: 'shown'; intent: NextIntent }
  /** The intent was replaced or cancelled, or it has expired, before the cardholder did anything. */
  | { kind: 'gone'; intent: NextIntent }
  | ({ kind: 'tapped'; lastFourDigits: string; entryMode: EntryMode } & Attempt)
  /** The attempt has no outcome yet; the terminal asks again. */
  | ({ kind: 'unclear'; why: string } & Attempt)
  | (TapEnd & Attempt)
  /** The terminal has turned the intent down. */
  | { kind: 'cancelled'; intent: NextIntent }
  | { kind: 'walkedAway'; intent: NextIntent }
  /** A request was refused, or its answer lost; the next one goes out after the pause. */
  | { kind: 'trouble'; result: Exclude<Result<unknown>, { kind: 'done' }>; pauseMs: number }
  /** The first good answer after trouble. */
  | { kind: 'back' }
);

export type OnStep = (step: Step) => void;
