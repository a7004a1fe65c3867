import { newId } from '@cobro/contracts/ids.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { traceOf } from './operator.ts';
import { readSpans } from './spans.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** What traces show of the parts of a request other than its body. */
export function callersTrace({ stack, merchant }: StackUnderTest): void {
  const spans = () => readSpans(stack().spansFile);

  test('numbers and keys in paths, queries and user agents are on no span of the gateway or of a service', async () => {
    const { apiKey } = stack().merchants;
    const origin = new URL(stack().baseUrl).origin;
    const userAgent = `till 5200 8282 8282 8210 ${apiKey} 5200-8282-8282-8210 ${'x'.repeat(200)}`;
    const paths = [
      '/checkout/5200%208282%208282%208210',
      '/checkout/5200-8282-8282-8210?lang=en',
      `/checkout/${newId()}?attempt=5200.8282.8282.8210&api_key=${apiKey}`,
      '/api/payment-method/ana-perez-5200828282828210/payment',
      `/api/payment-method/${newId()}/payment?page=5200+8282+8282+8210&api_key=${apiKey}`,
      `/api/developer/v1/payment?operationCode=5200_8282_8282_8210&cursor=${apiKey}`,
      `/api/nowhere/5200-8282-8282-8210?api_key=${apiKey}`,
    ];
    const requestIds = paths.map(() => newId());
    for (const [i, path] of paths.entries()) {
      const headers = { 'x-api-key': apiKey, 'user-agent': userAgent, 'x-request-id': requestIds[i] ?? '' };
      expect((await fetch(`${origin}${path}`, { headers })).status).toBeLessThan(500);
    }
    const of = (service: string) =>
      spans().filter(
        (span) =>
          span.service === service &&
          span.kind === 'server' &&
          requestIds.includes(String(span.attributes['requestId'])),
      );
    // The last one goes to no service.
    const sent = () => ({ gateway: of('gateway').length, services: [...of('payments'), ...of('reporting')].length });
    await until(
      'their spans are there',
      async () => sent().gateway === paths.length && sent().services === paths.length - 1,
    );

    const traces = new Set(of('gateway').map(({ traceId }) => traceId));
    const all = spans().filter(({ traceId }) => traces.has(traceId));
    const text = JSON.stringify(all);
    const written = [/5200.{0,3}8282/, /ana-perez/, /sk_test_/, /x{100}/];
    expect(written.filter((one) => one.test(text))).toEqual([]);
    const agents = new Set(all.flatMap(({ attributes }) => attributes['user_agent.original'] ?? []));
    // If a key ends in a digit, it and the number after it are one, separator included.
    const shown = JSON.stringify([...agents]).replace('[token][digits]', '[token] [digits]');
    expect(shown).toBe('["till [digits] [token] [digits] [token]"]');
  });

  test('no span of any process has a raw path, a query or an address of a call', () => {
    const names = new Set(spans().flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...names].filter((name) => name.startsWith('url.')).toSorted()).toEqual(['url.scheme', 'url.template']);
  });

  test.each(['00', '01'])(
    'a caller’s trace with flag %s leads to what it asked for, in a trace of ours',
    async (flag) => {
      const theirs = newId().replaceAll('-', '');
      const card = await merchant().saveCard();
      const path = `/payment-method/${card}/payment`;
      const headers = { traceparent: `00-${theirs}-b7ad6b7169203331-${flag}` };
      const charged = await merchant().send('POST', path, { body: { amount: 12.5 }, headers });
      expect(charged.status).toBe(201);
      const requestId = String(charged.headers.get('x-request-id'));
      const inOrder = [
        `Payment ${String(charged.body['id'])}: CONFIRMED, 12.50 MXN`,
        `request ${requestId}`,
        'gateway   POST /api/payment-method/…/payment → 201',
        'bank          POST /v1/sales → 200',
      ];
      for (const id of [String(charged.body['id']), requestId, theirs]) {
        let printed = { code: 0, text: '' };
        await until('its timeline is printed', async () => {
          printed = await traceOf(stack(), id);
          return inOrder.every((line) => printed.text.includes(line));
        });
        expect(printed.code).toBe(0);
      }
      expect(spans().filter(({ traceId }) => traceId === theirs)).toEqual([]);
    },
  );
}
