import { z } from 'zod';
import { limit, repeatable } from './paging.ts';
import { opaque } from './text.ts';

/** One value of a closed list. The refusal names the list. */
export const oneOf = <const V extends readonly string[]>(values: V) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** `YYYY-MM-DD` for a whole day in Mexico City, or an ISO 8601 date-time with offset. */
export const dayOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'must be a date (YYYY-MM-DD) or a date-time with offset (a + is written %2B)',
});

/** Query of each list under /developer/v1. */
export const developerListQuery = <const S extends readonly string[]>(statuses: S) =>
  z.strictObject({
    limit,
    cursor: opaque.optional(),
    status: repeatable(oneOf(statuses)),
    createdAtFrom: dayOrTime.optional(),
    createdAtTo: dayOrTime.optional(),
  });
export type DeveloperListQuery<S extends string> = z.output<ReturnType<typeof developerListQuery<S[]>>>;
