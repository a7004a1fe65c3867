import { z } from 'zod';

/** A whole number in a query; `otherwise` if it is absent. */
export const wholeNumber = (min: number, max: number, otherwise: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: 'must be a whole number', abort: true })
    .refine((digits) => Number(digits) >= min && Number(digits) <= max, { error: `must be from ${min} to ${max}` })
    .transform(Number)
    .optional()
    .transform((n) => n ?? otherwise)
    .meta({ override: { type: 'integer', minimum: min, maximum: max, default: otherwise } });

const MOST = 999_999_999;

/** Query of the offset lists: page from 1, pageSize 1..500. */
export const offsetPage = { page: wholeNumber(1, MOST, 1), pageSize: wholeNumber(1, 500, 100) };

/** Query of the cursor list and the partner list. A limit above 100 is refused, not reduced. */
export const limit = wholeNumber(1, 100, 20);
export const offset = wholeNumber(0, MOST, 0);

/** A filter that may be repeated: status=A&status=B. */
export const repeatable = <S extends z.ZodType>(schema: S, most?: number) => {
  const list = z.array(schema);
  const bounded = most === undefined ? list : list.max(most, { error: `must be given ${most} times at most` });
  return z.preprocess(
    (given) => (given === undefined || Array.isArray(given) ? (given as unknown) : [given]),
    bounded.optional(),
  );
};

export interface OffsetList<T> {
  count: number;
  page: number;
  pageSize: number;
  items: T[];
}

/** Answer of the offset lists. `count` is the total number of rows. */
export const offsetListOf = <S extends z.ZodType>(item: S) =>
  z.strictObject({ count: z.int(), page: z.int(), pageSize: z.int(), items: z.array(item) });

/** Answer of the cursor lists. */
export const cursorListOf = <S extends z.ZodType>(item: S) =>
  z.strictObject({
    data: z.array(item),
    pagination: z.strictObject({ limit: z.int(), hasMore: z.boolean(), nextCursor: z.string().nullable() }),
  });
