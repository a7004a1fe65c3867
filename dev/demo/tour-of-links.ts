import { testCards } from '@cobro/contracts/test-cards.ts';
import { createMerchant, type Merchant, TourError } from './merchant.ts';
import { faint, heading, say } from './print.ts';
import { until } from './until.ts';

const card = {
  number: testCards.approved,
  expirationMonth: 12,
  expirationYear: 2039,
  cvc: '123',
  holderName: 'Ana Torres',
};
const billingInformation = { firstName: 'Ana', lastName: 'Torres', email: 'ana@example.com' };

/** A one-time payment from the merchant's request to its payer's receipt; and one that is cancelled. */
export async function takeTourOfLinks(
  merchant: Merchant,
  { baseUrl, declinedCard }: { baseUrl: string; declinedCard: string },
): Promise<void> {
  heading('A one-time payment: a link that a customer opens and pays in three installments');
  const link = await merchant('POST', '/one-time-payment', {
    body: { amount: 900, description: 'Dos boletos', externalId: 'order-7', allowedTerms: [1, 3] },
    status: 201,
    show: ['status', 'amount', 'allowedTerms', 'checkoutUrl'],
  });
  const customer = createMerchant(baseUrl, undefined);
  const path = `/one-time-payment/${link.id}`;
  await customer('GET', path, { status: 200, show: ['status', 'amount', 'organization.name'] });
  await seePage(String(link.body['checkoutUrl']), 'form');
  const declined = { card: { ...card, number: declinedCard }, billingInformation };
  await customer('POST', `${path}/payment`, { body: declined, status: 402, show: ['code', 'declineCode'] });
  const body = { card, terms: 3, billingInformation };
  await customer('POST', `${path}/payment`, { body, status: 201, show: ['status', 'amount', 'operationCode'] });
  await customer('POST', `${path}/payment`, { body, status: 409, show: ['code'] });
  await seePage(String(link.body['checkoutUrl']), 'already-paid');
  await until(async () => {
    const { body: found } = await merchant(
      'GET',
      `/developer/v1/payment?oneTimePaymentId=${link.id}&status=CONFIRMED`,
      {
        status: 200,
        show: ['data'],
      },
    );
    return (found['data'] as unknown[]).length === 1;
  });

  heading('A one-time payment that its merchant cancels');
  const other = await merchant('POST', '/one-time-payment', {
    body: { amount: 50, description: 'Café' },
    status: 201,
    show: ['status'],
  });
  await merchant('PATCH', `/one-time-payment/${other.id}/cancel`, { status: 200, show: ['status'] });
  await seePage(String(other.body['checkoutUrl']), 'cancelled');
  await merchant('GET', '/one-time-payment', { status: 200, show: ['count', 'items'] });
}

/** Looks at the page as a browser gets it. */
async function seePage(url: string, state: string): Promise<void> {
  const response = await fetch(url);
  const html = await response.text();
  const [, shown] = /data-state="([a-z-]+)"/.exec(html) ?? [];
  if (response.status !== 200 || shown !== state)
    throw new TourError(`${url} shows ${response.status} ${shown}, not ${state}`);
  say(`  ${faint(`the page shows "${state}", ${(html.length / 1_000).toFixed(0)} KB`)}`);
}
