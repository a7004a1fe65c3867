import type { IntentRules } from './intent-rules.ts';
import { type Ask, invalid, type Json, type Reply, without } from './localstripe.client.ts';

const dataOf = ({ body }: Reply) => (body['data'] ?? []) as Json[];
/** After a partial capture, localstripe refunds the rest by itself; Stripe only lets go of it. */
const isAsked = (refund: Json) => 'operation' in (refund['metadata'] as Json);

/** Stripe's rules for refunds and its balance that localstripe lacks. */
export function moneyRules(ask: Ask, intents: IntentRules) {
  const failed = new Set<string>();
  const hasFailed = ({ metadata }: Json) => failed.has(String((metadata as Json)['operation']));
  /** "status: Status of the refund. This can be pending, requires_action, succeeded, failed, or canceled." */
  const shown = (refund: Json): Json => (hasFailed(refund) ? { ...refund, status: 'failed' } : refund);
  const refundsOf = async (intent: string): Promise<Json[]> =>
    dataOf(await ask('GET', `/v1/refunds?payment_intent=${intent}&limit=100`)).filter(isAsked);
  const refundedOf = async (intent: string) =>
    (await refundsOf(intent)).reduce((sum, one) => sum + (hasFailed(one) ? 0 : Number(one['amount'])), 0);

  /** "After the refund fails, this balance transaction describes the adjustment… that reverses the initial balance transaction." */
  const withFailure = (transaction: Json): Json[] => {
    const { type, source, id, amount } = transaction;
    if (type !== 'refund' || !hasFailed(source as Json)) return [transaction];
    const money = { amount: -Number(amount), net: -Number(amount) };
    const category = { type: 'refund_failure', reporting_category: 'refund_failure' };
    return [transaction, { ...transaction, ...category, ...money, id: `${String(id)}_failure` }];
  };

  const withFee = (transaction: Json): Json => {
    const intent = String((transaction['source'] as Json)['payment_intent']);
    const isCharge = transaction['type'] === 'charge';
    const amount = (isCharge ? intents.capturedOf(intent) : undefined) ?? Number(transaction['amount']);
    // "fee: Fees paid for this transaction." In Mexico 3.6 % and 3 pesos of a charge.
    const fee = isCharge ? Math.round(amount * 0.036) + 300 : 0;
    return { ...transaction, amount, fee, net: amount - fee };
  };

  return {
    failed,
    refundedOf,
    list: async (query: URLSearchParams): Promise<Reply> => {
      const data = (await refundsOf(String(query.get('payment_intent')))).map(shown);
      return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/refunds' } };
    },
    refund: async (form: URLSearchParams): Promise<Reply> => {
      const id = String(form.get('payment_intent'));
      const { body } = await intents.retrieve(id);
      const left = Number(body['amount_received']) - (await refundedOf(id));
      // "charge_already_refunded: The charge you're attempting to refund has already been refunded."
      if (body['status'] === 'succeeded' && left === 0) return invalid('charge_already_refunded', 'Already refunded.');
      // "You can't refund a total greater than the original charge amount."
      if (Number(form.get('amount')) > left) {
        return invalid(undefined, 'Refund amount is greater than unrefunded amount on charge', { param: 'amount' });
      }
      const reply = await ask('POST', '/v1/refunds', form);
      return reply.status === 200 ? { ...reply, body: shown(reply.body) } : reply;
    },
    balance: async (query: URLSearchParams): Promise<Reply> => {
      const reply = await ask('GET', `/v1/balance_transactions?${without(query, 'created').toString()}`);
      const [from, to] = [Number(query.get('created[gte]') ?? 0), Number(query.get('created[lte]') ?? Infinity)];
      const data = dataOf(reply)
        .filter(({ created }) => Number(created) >= from && Number(created) <= to)
        .filter(({ type, source }) => type !== 'refund' || isAsked(source as Json))
        .map(withFee)
        .flatMap(withFailure);
      return { status: 200, body: { ...reply.body, data } };
    },
  };
}
