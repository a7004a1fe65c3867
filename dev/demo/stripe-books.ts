import { add, type Books, noBooks } from './balance.ts';

interface Page<T> {
  data: T[];
  has_more: boolean;
}
interface Transaction {
  type: string;
  amount: number;
  source: { payment_intent: string };
}
interface Intent {
  id: string;
  amount: number;
  status: string;
  capture_method: string;
  latest_charge: object | null;
}

async function all<T>(stripeUrl: string, path: string): Promise<T[]> {
  const headers = { authorization: 'Bearer sk_test_demo' };
  const response = await fetch(`${stripeUrl}/v1/${path}`, { headers });
  if (!response.ok) throw new Error(`Stripe answered ${response.status} to ${path}`);
  const { data, has_more: isCut } = (await response.json()) as Page<T>;
  if (isCut) throw new Error(`there is more of ${path} than one page`);
  return data;
}

/** What moved at Stripe by its balance transactions, and what it held by its PaymentIntents. */
export async function stripeBooks(stripeUrl: string): Promise<Books> {
  const books = noBooks();
  const intents = (await all<Intent>(stripeUrl, 'payment_intents?limit=100')).filter(
    (one) => one.latest_charge !== null,
  );
  const holds = new Set<string>();
  for (const { id, amount, status, capture_method: how } of intents) {
    if (how !== 'manual' || !['requires_capture', 'succeeded', 'canceled'].includes(status)) continue;
    holds.add(id);
    add(books, 'authorize', BigInt(amount));
    if (status === 'canceled') add(books, 'void', 0n);
  }
  // Stripe shows no more than the id of a source unless it is asked to.
  const transactions = await all<Transaction>(stripeUrl, 'balance_transactions?limit=100&expand[]=data.source');
  for (const { type, amount, source } of transactions) {
    if (type === 'refund') add(books, 'refund', BigInt(-amount));
    else add(books, holds.has(source.payment_intent) ? 'capture' : 'sale', BigInt(amount));
  }
  return books;
}
