/** A card number: these digits and their Luhn check digit. */
export function withCheckDigit(digits: string): string {
  const sum = [...digits].toReversed().reduce((total, digit, position) => {
    const value = Number(digit) * (position % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The n-th of many cards that the bank simulator approves. */
export const approvedCard = (n: number): string => withCheckDigit(`41111${String(n).padStart(10, '0')}`);

/** The n-th of many cards that the bank simulator declines when they are charged. */
export const declinedCard = (n: number): string => withCheckDigit(`40009${String(n).padStart(10, '0')}`);

/** The n-th of many cards of a network that the bank's vault does not take. */
export const refusedCard = (n: number): string => withCheckDigit(`60110${String(n).padStart(10, '0')}`);
