import { testCards } from '@cobro/contracts/test-cards.ts';
import { expect, test } from '@jest/globals';
import { idsInAnswer, idsInPath, idsOfCaller } from './annotate-span.ts';

const [A, B] = ['0199c1d2-0000-7000-8000-00000000000a', '0199c1d2-0000-7000-8000-00000000000b'];

test.each([
  ['/payment-method/:id/payment/:paymentId/capture', { id: A, paymentId: B }, { paymentMethodId: A, paymentId: B }],
  ['/developer/v1/payment/:id', { id: A }, { paymentId: A }],
  ['/internal/holds/:id', { id: A }, { paymentId: A }],
  ['/terminal/v1/payment-intent/:id/payment', { id: A }, { paymentIntentId: A }],
  ['/checkout/:id', { id: A }, {}],
  ['/payment-link/:id', { id: A }, { paymentLinkId: A }],
  ['/checkout/assets/:name', { name: A }, {}],
])('the ids in %s', (template, params, ids) => {
  expect(idsInPath(template)(params)).toEqual(ids);
});

test('what is no id does not get onto a span, wherever it stands', () => {
  expect(idsInPath('/checkout/:id')({ id: testCards.approved })).toEqual({});
  const body = { id: testCards.approved, paymentId: `tok_${A}` };
  expect(Object.values(idsInAnswer({ method: 'POST', path: '/payment-method' }, body)).filter(Boolean)).toEqual([]);
});

test('what an answer is about, also where it was made before', () => {
  const charge = { method: 'POST', path: '/payment-method/:id/payment' };
  expect(idsInAnswer(charge, { id: A })).toEqual({ paymentId: A });
  expect(idsInAnswer({ ...charge, method: 'GET' }, { items: [] })).toEqual({});
  expect(idsInAnswer({ method: 'POST', path: '/payment-intent' }, { id: A })).toEqual({ paymentIntentId: A });
  expect(idsInAnswer(charge, undefined)).toEqual({});
});

test('a caller’s ids, and nothing else of it', () => {
  const merchant = { kind: 'merchant', by: { kind: 'key', id: A }, organizationId: B } as const;
  expect(idsOfCaller(merchant)).toEqual({ keyId: A, organizationId: B });
  expect(idsOfCaller({ ...merchant, by: { kind: 'person', id: A } })).toEqual({ personId: A, organizationId: B });
  expect(idsOfCaller({ kind: 'service', name: 'holds' })).toEqual({});
  expect(idsOfCaller({ kind: 'public' })).toEqual({});
});
