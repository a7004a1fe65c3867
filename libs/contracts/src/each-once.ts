import { z } from 'zod';
import { must } from './text.ts';

/** A list that names nothing twice. */
export const eachOnce = <S extends z.ZodType>(one: S, what = 'an array') =>
  z
    .array(one, must(`be ${what}`))
    .refine((list) => new Set(list).size === list.length, { error: 'must name each only once' })
    .meta({ uniqueItems: true });
