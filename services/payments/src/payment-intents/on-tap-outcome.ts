import type { OnOutcome } from '../payments/settle-charge.ts';
import { removingTap } from './tap.store.ts';

/** The outcome is known, so the card's token is not needed any more. */
export const onTapOutcome: OnOutcome = ({ id }) => ({ writing: removingTap(id) });
