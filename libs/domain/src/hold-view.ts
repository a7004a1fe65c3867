import { holdDaysRemaining, holdExpired } from './hold-window.ts';

export interface HoldView {
  heldAt: string | null;
  holdExpiresAt: string | null;
  holdExpired: boolean;
  holdDaysRemaining: number | null;
}

/** The window fields of a payment as interface.md shows them. For a payment that was never held all are null or false. */
export function viewHold(
  hold: { heldAt: Date | null; holdExpiresAt: Date | null; held: boolean },
  now: Date,
): HoldView {
  const { heldAt, holdExpiresAt } = hold;
  if (heldAt === null || holdExpiresAt === null) {
    return { heldAt: null, holdExpiresAt: null, holdExpired: false, holdDaysRemaining: null };
  }
  return {
    heldAt: heldAt.toISOString(),
    holdExpiresAt: holdExpiresAt.toISOString(),
    // Goes by the clock alone, whatever became of the hold.
    holdExpired: holdExpired(holdExpiresAt, now),
    holdDaysRemaining: hold.held ? holdDaysRemaining(holdExpiresAt, heldAt, now) : null,
  };
}
