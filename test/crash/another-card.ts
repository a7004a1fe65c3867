import { approvedCard } from '@cobro/testing/card-numbers.ts';

let cards = 0;
/** A new card for each attempt: a dead process's slot is free again only after 10 minutes. */
export const anotherCard = (): string => approvedCard(++cards);
