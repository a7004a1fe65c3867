import { z } from 'zod';
import { centavosOf } from './amount.ts';
import { must } from './text.ts';

/** Percent in a request, kept in basis points: 4.5 gives 450. `centavosOf` reads them, because pesos have two decimals too. */
export const percentUpTo = (max: number) => {
  const rule = `must be from 0 to ${max}, with at most two decimals`;
  return z
    .number(must('be a number'))
    .transform((percent, ctx) => {
      const bps = centavosOf(percent);
      if (bps !== undefined && bps <= BigInt(max * 100)) return Number(bps);
      ctx.addIssue({ code: 'custom', message: rule });
      return z.NEVER;
    })
    .meta({ override: { type: 'number', minimum: 0, maximum: max, multipleOf: 0.01 } });
};
