import { z } from 'zod';
import { must } from './text.ts';

const MAX_CENTAVOS = 99_999_999_999n;

/**
 * Whole centavos of an amount of pesos as JSON has it (150.25). Works on digits, not on floats. Undefined if the number is not
 * an amount.
 */
export function centavosOf(pesos: number): bigint | undefined {
  const digits = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(pesos));
  if (digits === null) return undefined;
  const centavos = BigInt(`${digits[1]}${(digits[2] ?? '').padEnd(2, '0')}`);
  return centavos <= MAX_CENTAVOS ? centavos : undefined;
}

/** Pesos as a JSON number from whole centavos: 15025n → 150.25. */
export function pesosOf(centavos: bigint): number {
  return Number(decimalOf(centavos));
}

/** Pesos as a string with two decimals from whole centavos: 15000n → "150.00". A negative amount keeps its sign. */
export function decimalOf(centavos: bigint): string {
  const digits = (centavos < 0n ? -centavos : centavos).toString().padStart(3, '0');
  return `${centavos < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A number with decimals as people read it: "1250.50" → "1,250.50". */
export const inThousands = (decimal: string): string => decimal.replaceAll(/\B(?=(?:\d{3})+\.)/g, ',');

const AN_AMOUNT = 'be from 0.01 to 999999999.99, with at most two decimals';

/** How the OpenAPI documents show an amount in a request. */
export const amountMeta = {
  description: 'MXN pesos with at most two decimals',
  override: { type: 'number', minimum: 0.01, maximum: 999999999.99, multipleOf: 0.01 },
} as const;

/** A positive amount of MXN in a request body, read as centavos. The body's reader gives NaN for a number with too many digits. */
export const amount = z
  .number({ error: (issue) => must(Number.isNaN(issue.input) ? AN_AMOUNT : 'be a number').error(issue) })
  .transform((pesos, ctx) => {
    const centavos = centavosOf(pesos);
    if (centavos !== undefined && centavos > 0n) return centavos;
    ctx.addIssue({ code: 'custom', message: `must ${AN_AMOUNT}` });
    return z.NEVER;
  })
  .meta(amountMeta);

/** Centavos in events and between services: a JSON integer. */
export const centavos = z.codec(z.int().min(0).max(Number(MAX_CENTAVOS)), z.bigint(), {
  decode: (n) => BigInt(n),
  encode: (n) => Number(n),
});

export const currency = z.literal('MXN', { error: 'must be MXN' });
