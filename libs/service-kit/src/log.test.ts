import { describe, expect, test } from '@jest/globals';
import { runScript } from '@cobro/testing/run-script.ts';

/** The output of a process that runs these statements. */
async function logged(statements: string): Promise<{ lines: Record<string, unknown>[]; text: string }> {
  const { ended, output } = runScript(`
    import { createLog } from '@cobro/service-kit/log.ts';
    import { Secret } from '@cobro/contracts/secret.ts';
    const log = createLog({ service: 'payments', level: 'info' });
    ${statements}`);
  expect(await ended).toBe(0);
  const lines = output.stdout.trimEnd().split('\n').filter(Boolean);
  return { lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), text: output.stdout };
}

describe('a log line', () => {
  test('names the span that it was written in, where there is one', async () => {
    const { lines } = await logged(`
      import { trace } from '@opentelemetry/api';
      import { recordSpans } from '@cobro/testing/record-spans.ts';
      log.info({}, 'without');
      recordSpans();
      trace.getTracer('test').startActiveSpan('request', (span) => {
        const { traceId, spanId } = span.spanContext();
        log.info({ paymentId: 'p1' }, traceId + ' ' + spanId);
      });`);
    expect(lines[0]).not.toHaveProperty('trace_id');
    const [traceId, spanId] = String(lines[1]?.['msg']).split(' ');
    expect(lines[1]).toMatchObject({ paymentId: 'p1', trace_id: traceId, span_id: spanId, trace_flags: '01' });
    expect(traceId).toMatch(/^[\da-f]{32}$/);
  });

  test('has the fields of the list and no other, whatever it is given', async () => {
    const { lines, text } = await logged(`
      log.info({ paymentId: 'p1', status: 201, cardNumber: '4242424242424242', body: { card: 1 }, headers: {}, __proto__: { x: 1 } }, 'charged');
      log.child({ keyId: 'k1' }).warn({ reason: 'late', token: 'tok_1' }, 'waits');
      log.info({ service: 'holds', target: 'holds' }, 'asked');
      log.debug({ paymentId: 'p2' }, 'not at this level');`);
    expect(lines).toEqual([
      { level: 'info', time: lines[0]?.['time'], service: 'payments', paymentId: 'p1', status: 201, msg: 'charged' },
      { level: 'warn', time: lines[1]?.['time'], service: 'payments', keyId: 'k1', reason: 'late', msg: 'waits' },
      { level: 'info', time: lines[2]?.['time'], service: 'payments', target: 'holds', msg: 'asked' },
    ]);
    expect(text.match(/"service"/g)).toHaveLength(3);
    expect(lines[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test('logs of an error its name, code and stack without long digits', async () => {
    const { lines, text } = await logged(`
      const error = Object.assign(new TypeError('number 4242424242424242 of tok_1'), { code: '23505', kind: 'query', detail: 'Key (cvc)=(123)' });
      log.error({ error, requestId: 'r1' }, 'unexpected');
      log.error({ err: 'thrown text 4242424242424242' }, 'unexpected');
      log.error(new Error('alone 4242424242424242'));
      for (const before of ['\\n', '\\r', '\\t', '\\u0001', '\\u001f', ': ']) log.error(new Error('lines' + before + '4242424242424242'));`);
    expect(lines[0]).toMatchObject({
      errorName: 'TypeError',
      errorCode: '23505',
      errorKind: 'query',
      requestId: 'r1',
      msg: 'unexpected',
    });
    expect(lines[0]?.['stack']).toContain('TypeError');
    expect(lines[1]).toMatchObject({ errorName: 'string' });
    expect(text).not.toMatch(/4242424242424242|cvc/);
  });

  test('cannot show a secret', async () => {
    const { text } = await logged(`
      const number = new Secret('4242424242424242');
      log.info({ reason: number, code: { number }, target: [number] }, 'x');
      log.info({ reason: 'a' }, \`\${number}\`);`);
    expect(text).not.toContain('4242424242424242');
    expect(text).toContain('[secret]');
  });
});
