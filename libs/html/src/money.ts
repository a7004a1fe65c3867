import { decimalOf, inThousands } from '@cobro/contracts/amount.ts';

/** Centavos as people in Mexico write pesos, in either language: 125050n → "$1,250.50". */
export function pesos(centavos: bigint): string {
  return `$${inThousands(decimalOf(centavos))}`;
}

/**
 * An amount in monthly payments of whole centavos: all are equal but the last one, which also takes the remainder.
 * Their sum is the amount.
 */
export function monthlyPayments(amount: bigint, terms: number): { each: bigint; last: bigint } {
  const each = amount / BigInt(terms);
  return { each, last: amount - each * BigInt(terms - 1) };
}
