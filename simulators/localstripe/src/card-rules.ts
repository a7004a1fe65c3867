import { type Ask, failed, type Reply, type Json } from './localstripe.client.ts';

const reasons: Record<string, string> = { 9995: 'insufficient_funds', 9987: 'lost_card', 9979: 'stolen_card' };

/** Stripe's rules for cards that localstripe lacks. */
export function cardRules(ask: Ask, now: () => Date) {
  const numbers = new Map<string, string>();
  return {
    /** "expired_card: The card has expired." */
    create: async (form: URLSearchParams): Promise<Reply> => {
      const [year, month] = [Number(form.get('card[exp_year]')), Number(form.get('card[exp_month]'))];
      if (new Date(Date.UTC(year, month)) < now()) return failed(402, { type: 'card_error', code: 'expired_card' });
      const reply = await ask('POST', '/v1/payment_methods', form);
      numbers.set(String(reply.body['id']), String(form.get('card[number]')));
      return reply;
    },
    /**
     * "card_error: Card errors are the most common type of error." Of the cards in Stripe's page on testing, 4000000000009995 is declined
     * insufficient_funds, 4000000000009987 lost_card, 4000000000009979 stolen_card, and 4242424242424241 incorrect_number.
     */
    errorOf: ({ body }: Reply, method: unknown): Reply => {
      const number = numbers.get(String(method)) ?? '';
      const error = { ...(body['error'] as Json), type: 'card_error' };
      if (number.endsWith('4241')) return failed(402, { ...error, code: 'incorrect_number' });
      return failed(402, {
        ...error,
        code: 'card_declined',
        decline_code: reasons[number.slice(-4)] ?? 'generic_decline',
      });
    },
  };
}
export type CardRules = ReturnType<typeof cardRules>;
