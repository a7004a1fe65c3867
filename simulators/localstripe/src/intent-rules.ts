import type { CardRules } from './card-rules.ts';
import { type Ask, invalid, type Json, type Reply, without } from './localstripe.client.ts';

interface Kept {
  captured?: number;
  hasPlans?: boolean;
  /** The network has let go of the money. */
  hasLapsed?: boolean;
  canceledAt?: number;
}

const WEEK_S = 7 * 86_400;

/** PaymentIntents with the fields that Stripe shows and localstripe lacks. */
function openIntents(ask: Ask, now: () => Date) {
  const intents = new Map<string, Kept>();
  const plans = [3, 6, 9, 12, 18];
  const keep = (id: string, more: Kept) => void intents.set(id, { ...intents.get(id), ...more });

  const cancelled = (id: string, more: Kept = {}) =>
    keep(id, { ...more, canceledAt: Math.floor(now().getTime() / 1_000) });

  /** "Many objects allow you to request additional information as an expanded response by using the expand request parameter." */
  const shown = (intent: Json, asked = new URLSearchParams()): Json => {
    const kept = intents.get(String(intent['id']));
    const charge = intent['latest_charge'] as Json | null;
    const moved = charge?.['balance_transaction'] as Json | string | null;
    const isExpanded = [...asked.values()].includes('latest_charge.balance_transaction');
    const offered = plans.map((count) => ({ count, interval: 'month', type: 'fixed_count' }));
    return {
      ...intent,
      amount_received: intent['status'] === 'succeeded' ? (kept?.captured ?? intent['amount']) : 0,
      canceled_at: kept?.canceledAt ?? null,
      ...(intent['status'] === 'canceled' && { cancellation_reason: kept?.hasLapsed === true ? 'automatic' : null }),
      ...(kept?.hasPlans === true && {
        // "…the response includes available_plans" (docs: Accept meses sin intereses card payments).
        payment_method_options: { card: { installments: { available_plans: offered } } },
      }),
      latest_charge: charge && {
        ...charge,
        balance_transaction: isExpanded || typeof moved === 'string' ? moved : (moved?.['id'] ?? null),
        authorization_code: '123456',
        // "The payment_method_details.card.capture_before attribute on the charge indicates when the authorization expires."
        payment_method_details: { card: { capture_before: Number(intent['created']) + WEEK_S } },
      },
    };
  };

  /** "If the authorization isn't captured in time, … the PaymentIntent's status transitions to canceled." */
  const read = async (id: string): Promise<Reply> => {
    const path = `/v1/payment_intents/${id}`;
    const { status, body } = await ask('GET', `${path}?expand[]=latest_charge.balance_transaction`);
    const lapses = (Number(body['created']) + WEEK_S) * 1_000;
    if (body['status'] !== 'requires_capture' || now().getTime() < lapses) return { status, body };
    cancelled(id, { hasLapsed: true });
    return ask('POST', `${path}/cancel`);
  };
  const show = (reply: Reply, asked?: URLSearchParams): Reply =>
    reply.status === 200 ? { status: 200, body: shown(reply.body, asked) } : reply;
  return { intents, plans, keep, cancelled, shown, show, read };
}

/** Stripe's rules for PaymentIntents that localstripe lacks. */
export function intentRules(ask: Ask, cards: CardRules, now: () => Date) {
  const { intents, plans, keep, cancelled, shown, show, read } = openIntents(ask, now);

  const capture = async (id: string, intent: Json, form: URLSearchParams): Promise<Reply> => {
    const amount = Number(form.get('amount_to_capture') ?? intent['amount']);
    // "The amount to capture… must be less than or equal to the original amount."
    if (amount > Number(intent['amount'])) return invalid('amount_too_large', 'The amount is too large.');
    const reply = await ask('POST', `/v1/payment_intents/${id}/capture`, without(form, 'expand'));
    if (reply.status !== 200) return reply;
    keep(id, { captured: amount });
    return show(await read(id), form);
  };

  return {
    plans,
    capturedOf: (id: string) => intents.get(id)?.captured,
    all: () => Promise.all([...intents.keys()].map(async (id) => shown((await read(id)).body))),
    retrieve: async (id: string, asked?: URLSearchParams) => show(await read(id), asked),
    create: async (form: URLSearchParams): Promise<Reply> => {
      const hasPlans = form.get('payment_method_options[card][installments][enabled]') === 'true';
      const sent = without(
        form,
        'allowed_payment_method_types',
        'statement_descriptor_suffix',
        'payment_method_options',
      );
      const reply = await ask('POST', '/v1/payment_intents', sent);
      if (reply.status === 200) keep(String(reply.body['id']), { hasPlans });
      return show(reply);
    },
    /** Confirms, captures or cancels. */
    change: async (id: string, verb: string, form: URLSearchParams): Promise<Reply> => {
      const { body: intent } = await read(id);
      const status = String(intent['status']);
      const from: Record<string, boolean> = {
        confirm: status === 'requires_confirmation',
        capture: status === 'requires_capture',
        cancel: !['canceled', 'succeeded', 'processing'].includes(status),
      };
      // "After it's canceled… any operations on the PaymentIntent fail with an error."
      if (from[verb] !== true) {
        return invalid('payment_intent_unexpected_state', `This PaymentIntent has a status of ${status}.`, {
          payment_intent: shown(intent),
        });
      }
      if (verb === 'capture') return capture(id, intent, form);
      const reply = await ask('POST', `/v1/payment_intents/${id}/${verb}`);
      if (verb === 'cancel' && reply.status === 200) cancelled(id);
      return reply.status === 402 ? cards.errorOf(reply, intent['payment_method']) : show(reply);
    },
  };
}
export type IntentRules = ReturnType<typeof intentRules>;
