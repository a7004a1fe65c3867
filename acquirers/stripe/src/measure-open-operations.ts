import { gauge } from '@cobro/metrics/instruments.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { countOpen } from './operation.store.ts';
import { REPEATED_FOR_HOURS } from './repeats.ts';

const MINUTE_S = 60;

export const measureOpenOperations = (db: Database): (() => void) =>
  gauge('cobro.stripe.open', async () => {
    const { minute, day } = await countOpen(db, MINUTE_S, REPEATED_FOR_HOURS * 3_600);
    return [
      { longer: 'minute' as const, value: minute },
      { longer: 'day' as const, value: day },
    ];
  });
