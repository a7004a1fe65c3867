import { DEFAULT_ACQUIRER } from '@cobro/contracts/acquirer-name.ts';
import { withClient } from '@cobro/postgres/with-client.ts';
import { madeReference as made } from './stage-history.ts';
import type { SeededStack } from './seeded-stack.ts';

/** Payments in one body, which stays below 64 KiB with all their operations. */
const AT_ONCE = 150;
const LANES = 2;

/** Records at each bank simulator the operations that reached it, in an order that is possible. */
export async function recordAtBank(stack: SeededStack, payments: number): Promise<void> {
  const { databaseUrl } = stack;
  let next = 1;
  const lane = () =>
    withClient({ connectionString: databaseUrl, application_name: 'seed-bank' }, async (client) => {
      while (next <= payments) {
        const first = next;
        next += AT_ONCE;
        const { rows } = await client.query<Recorded>({
          name: 'recorded',
          text: recorded,
          values: [first, first + AT_ONCE],
        });
        for (const [acquirer, own] of Map.groupBy(rows, (row) => row.acquirer))
          await send(bankOf(stack, acquirer), JSON.stringify(own.flatMap(entriesOf)));
      }
    });
  await Promise.all(Array.from({ length: LANES }, lane));
}

function bankOf({ bankUrl, otherBanks }: SeededStack, acquirer: string): string {
  const url = acquirer === DEFAULT_ACQUIRER ? bankUrl : otherBanks?.[acquirer];
  if (url === undefined) throw new Error(`the stack names no acquirer ${acquirer}`);
  return url;
}

async function send(bankUrl: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${bankUrl}/history`, { method: 'POST', headers, body });
  const answer = await response.text();
  if (!response.ok) throw new Error(`the bank answered ${response.status}: ${answer}`);
}

/** A staged payment as the bank gets it: amounts in centavos, times in ISO 8601, null if there was no such operation. */
interface Recorded {
  acquirer: string;
  kind: 'authorize' | 'sale';
  madeBy: string;
  savedBy: string;
  amount: number;
  terms: number;
  reference: string;
  saidAt: string;
  declineCode: string | null;
  authCode: string;
  endedBy: string;
  capturedAmount: number | null;
  capturedAt: string | null;
  releasedAt: string | null;
  refundedBy: string;
  refundedAt: string | null;
}

const recorded = `
  select acquirer, case when by_hold then 'authorize' else 'sale' end as kind, made_by as "madeBy", saved_by as "savedBy", amount::float8 as amount,
    terms, ${made} as reference, seed.iso(said_at) as "saidAt", decline_code as "declineCode", auth_code as "authCode",
    ended_by as "endedBy", captured_amount::float8 as "capturedAmount", seed.iso(captured_at) as "capturedAt",
    seed.iso(released_at) as "releasedAt", refunded_by as "refundedBy", seed.iso(refunded_at) as "refundedAt"
  from seed.staged join seed.card on card.id = card_id
  where n >= $1 and n < $2 and life <> 'lost'
  order by n`;

/** Built here, because Postgres takes three times as long for it. */
function entriesOf(payment: Recorded): object[] {
  const { kind, amount, reference, authCode, capturedAt, capturedAmount, releasedAt, refundedAt } = payment;
  const entries: object[] = [
    {
      idempotencyKey: payment.madeBy,
      kind,
      savedBy: payment.savedBy,
      amount,
      ...(kind === 'sale' && { terms: payment.terms }),
      reference,
      time: payment.saidAt,
      ...(payment.declineCode !== null && { declineCode: payment.declineCode }),
      authCode,
    },
  ];
  const end = { idempotencyKey: payment.endedBy, authorization: reference, authCode };
  const [capture, release] = [`cap_${payment.endedBy}`, `voi_${payment.endedBy}`];
  if (capturedAt !== null)
    entries.push({ ...end, kind: 'capture', amount: capturedAmount, reference: capture, time: capturedAt });
  if (releasedAt !== null) entries.push({ ...end, kind: 'void', reference: release, time: releasedAt });
  if (refundedAt !== null) {
    entries.push({
      idempotencyKey: payment.refundedBy,
      kind: 'refund',
      original: capturedAt === null ? reference : capture,
      amount: capturedAmount ?? amount,
      reference: `ref_${payment.refundedBy}`,
      time: refundedAt,
      authCode,
    });
  }
  return entries;
}
