import { setTimeout as sleep } from 'node:timers/promises';
import { TourError } from './merchant.ts';

/** Asks again every half second. @throws where it has not come to that within 30 s */
export async function until(reached: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await reached())) {
    if (Date.now() > end) throw new TourError('it did not come to that within 30 s');
    await sleep(500);
  }
}
