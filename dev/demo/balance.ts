import type { DeveloperPaymentItem } from '@cobro/client/api.ts';
import { createClient } from '@cobro/client/merchant.ts';
import { decimalOf } from '@cobro/contracts/amount.ts';
import { bankOperations } from '@cobro/testing/bank-operations.ts';
import { table, bad, good, heading, say } from './print.ts';

interface Sum {
  count: number;
  centavos: bigint;
}

/** What moved at the bank, by kind. Voids move no money, so they are only counted. */
export type Books = Record<'sale' | 'authorize' | 'capture' | 'void' | 'refund', Sum>;

export const noBooks = (): Books => ({
  sale: { count: 0, centavos: 0n },
  authorize: { count: 0, centavos: 0n },
  capture: { count: 0, centavos: 0n },
  void: { count: 0, centavos: 0n },
  refund: { count: 0, centavos: 0n },
});

export function add(books: Books, kind: keyof Books, centavos: bigint): void {
  books[kind].count++;
  books[kind].centavos += centavos;
}

/** The bank's own ledger, summed. */
export async function bankBooks(bankUrl: string): Promise<Books> {
  const books = noBooks();
  for (const { kind, outcome, amount } of await bankOperations(bankUrl)) {
    // The void that the bank declines in the demo counts too: the bank had freed its funds at the end of the hold's last day.
    if (kind === 'void' || (kind !== 'tokenize' && outcome === 'approved')) add(books, kind, BigInt(amount ?? 0));
  }
  return books;
}

/** What must have moved according to our payments, from the developer list of each key. */
async function ourBooks(baseUrl: string, apiKeys: string[]): Promise<Books> {
  const books = noBooks();
  for (const apiKey of apiKeys) {
    const { developer } = createClient({ baseUrl, apiKey });
    for await (const payment of developer.list({ limit: 100 })) record(books, payment);
  }
  return books;
}

function record(books: Books, { status, amount, heldAmount }: DeveloperPaymentItem): void {
  const moved = status === 'CONFIRMED' || status === 'REFUNDED';
  if (heldAmount !== null) add(books, 'authorize', centavos(heldAmount));
  if (heldAmount !== null && moved) add(books, 'capture', centavos(amount));
  if (heldAmount === null && moved) add(books, 'sale', centavos(amount));
  if (status === 'HOLD_RELEASED' || status === 'HOLD_EXPIRED') add(books, 'void', 0n);
  if (status === 'REFUNDED') add(books, 'refund', centavos(amount));
}

const centavos = (pesos: number) => BigInt(pesos.toFixed(2).replace('.', ''));

/** Prints both sides. Returns false if they differ by a centavo or an operation. */
export async function balance(
  whose: string,
  bank: Books,
  stack: { baseUrl: string; apiKeys: string[] },
): Promise<boolean> {
  const ours = await ourBooks(stack.baseUrl, stack.apiKeys);
  heading(`The balance with ${whose}`);
  const kinds = Object.keys(bank) as (keyof Books)[];
  const equal = (kind: keyof Books) =>
    bank[kind].count === ours[kind].count && (kind === 'void' || bank[kind].centavos === ours[kind].centavos);
  table([
    ['operation', 'bank', 'MXN', 'ours', 'MXN', ''],
    ...kinds.map((kind) => [
      kind,
      String(bank[kind].count),
      kind === 'void' ? '' : decimalOf(bank[kind].centavos),
      String(ours[kind].count),
      kind === 'void' ? '' : decimalOf(ours[kind].centavos),
      equal(kind) ? 'agrees' : 'DIFFERS',
    ]),
  ]);
  const agrees = kinds.every(equal);
  say(agrees ? good('\nBank and service agree to the centavo.') : bad('\nBank and service do NOT agree.'));
  return agrees;
}
