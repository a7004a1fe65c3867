import { waitUntil } from '../stack/wait-until.ts';
import { TourError } from './merchant.ts';

/** Asks again every half second. @throws TourError if `reached` is still false after 30 s */
export async function until(reached: () => Promise<boolean>): Promise<void> {
  if (!(await waitUntil(reached, 30_000, 500))) throw new TourError('it did not come to that within 30 s');
}
