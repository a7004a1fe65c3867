import { gaugeOf } from '@cobro/metrics/instruments.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { countUses } from './promotion.store.ts';

export const measurePromotions = (db: Queries): void =>
  void gaugeOf('cobro.promotion_uses.waiting', async () => (await countUses(db)).count);
