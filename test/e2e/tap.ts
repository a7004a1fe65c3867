import { tappedCardBody } from '@cobro/testing/test-intents.ts';
import { createTerminal } from '../../dev/stack/create-terminal.ts';
import { type Answer, type Client, sendTo } from './client.ts';
import type { Stack } from '../../dev/stack/stack.ts';

/** A till creates an intent for a new terminal, which takes it and pays it. Returns the answer to the payment and the intent's id. */
export async function tapOnce(
  stack: Stack,
  merchant: Client,
  code: string,
  cardNumber?: string,
): Promise<Answer & { intent: string }> {
  const { organizationId } = stack.merchants;
  const { key } = await createTerminal(stack.databaseUrl, { organizationId, code });
  const asked = { amount: 80, currency: 'MXN', externalId: `${code}-1`, terminalCode: code };
  const { body } = await merchant.send<{ id: string }>('POST', '/payment-intent', { body: asked });
  const paid = await payNext(stack, key, cardNumber);
  if (paid.intent !== body.id) throw new Error('the terminal was not shown the intent');
  return paid;
}

/** A terminal picks the next intent up and pays it. */
export async function payNext(stack: Stack, key: string, cardNumber?: string): Promise<Answer & { intent: string }> {
  const send = sendTo(stack.baseUrl, undefined);
  const headers = { 'x-terminal-key': key };
  const shown = await send<{ id: string }>('GET', '/terminal/v1/payment-intent/next', { headers });
  if (shown.status !== 200) throw new Error(`the terminal was shown no intent: ${shown.status}`);
  const answer = await send('POST', `/terminal/v1/payment-intent/${shown.body.id}/payment`, {
    body: { attemptId: crypto.randomUUID(), card: tappedCardBody(cardNumber) },
    headers,
  });
  return { ...answer, intent: shown.body.id };
}
