export interface BankOperation {
  idempotencyKey: string;
  kind: 'tokenize' | 'authorize' | 'sale' | 'capture' | 'void' | 'refund';
  /** In centavos. */
  amount: number | null;
  /** Monthly installments of a sale; null for every other kind. */
  terms: number | null;
  outcome: 'approved' | 'declined';
  reference: string;
  createdAt: string;
}

/** The books of the bank simulator at this address, oldest first. */
export async function bankOperations(url: string): Promise<BankOperation[]> {
  const all: BankOperation[] = [];
  for (let next: string | null = '0'; next !== null;) {
    const answer = await fetch(`${url}/operations?limit=1000&after=${next}`);
    const page = (await answer.json()) as { data: BankOperation[]; next: string | null };
    all.push(...page.data);
    next = page.next;
  }
  return all;
}
