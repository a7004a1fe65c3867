import { FIRST_KEY } from '@cobro/events/retelling.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import { reseal } from '@cobro/service-kit/seal.ts';
import { listSealedCards, replaceSealedTokens, type ResealedCard, type SealedCard } from './payment-method.store.ts';

/** How many cards have a token of the vault, how many of these were sealed anew, and how many no key opens. */
export interface Resealing {
  cards: number;
  resealed: number;
  unreadable: number;
}

const PAGE = 500;

/**
 * Seals the vault's token of every card with the first key, page by page, while cards are saved and charged. Skips a card that
 * changes meanwhile. May be repeated.
 */
export async function resealCards(queries: Queries, keys: KeyRing): Promise<Resealing> {
  const done: Resealing = { cards: 0, resealed: 0, unreadable: 0 };
  for (let after = FIRST_KEY; ;) {
    const page = await listSealedCards(queries, after, PAGE);
    const last = page.at(-1);
    if (last === undefined) return done;
    const anew: ResealedCard[] = [];
    for (const card of page) {
      const made = sealAnew(keys, card);
      if (made === 'unreadable') done.unreadable++;
      else if (made !== undefined) anew.push({ ...card, by: made });
    }
    done.cards += page.length;
    if (anew.length > 0) done.resealed += await replaceSealedTokens(queries, anew);
    after = last.id;
  }
}

function sealAnew(keys: KeyRing, { id, sealedToken }: SealedCard): Buffer | 'unreadable' | undefined {
  try {
    return reseal(keys, id, sealedToken);
  } catch {
    return 'unreadable';
  }
}
