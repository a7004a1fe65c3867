import { approvedCard } from '@cobro/testing/card-numbers.ts';

let cards = 0;
/** Another card for each attempt: a slot that died with its process is free again only after 10 minutes. */
export const anotherCard = (): string => approvedCard(++cards);
