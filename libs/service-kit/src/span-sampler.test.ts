import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { expect, test } from '@jest/globals';
import { samplerFromEnv } from './span-sampler.ts';

const LOW = '00000000000000000000000000000001';
const HIGH = 'ffffffff000000000000000000000000';

/** Whether a trace is sampled: one that begins here, or one whose caller has sampled it or has not. */
function samples(name: string | undefined, share?: string, traceId = LOW, parent?: 'sampled' | 'not sampled'): boolean {
  const sampler = samplerFromEnv({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share });
  const traceFlags = parent === 'sampled' ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const remote = { traceId, spanId: '0000000000000001', traceFlags, isRemote: true };
  const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
  const { decision } = sampler.shouldSample(context, traceId, 'POST', SpanKind.SERVER, {}, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

test('every trace is sampled, unless its caller has not sampled it', () => {
  expect(samples(undefined)).toBe(true);
  expect(samples(undefined, undefined, LOW, 'sampled')).toBe(true);
  expect(samples(undefined, undefined, LOW, 'not sampled')).toBe(false);
});

test('a sampler that is named decides for itself, and after parentbased_ only where a trace begins', () => {
  expect(samples('always_off')).toBe(false);
  expect(samples('always_off', undefined, LOW, 'sampled')).toBe(false);
  expect(samples('parentbased_always_off', undefined, LOW, 'sampled')).toBe(true);
  expect(samples('always_on', undefined, LOW, 'not sampled')).toBe(true);
});

test('a share takes some traces and leaves others', () => {
  expect([samples('traceidratio', '0.5'), samples('traceidratio', '0.5', HIGH)]).toEqual([true, false]);
  expect([samples('parentbased_traceidratio', '0'), samples('traceidratio', '1', HIGH)]).toEqual([false, true]);
});

test('another name or share is refused', () => {
  expect(() => samples('sometimes')).toThrow('OTEL_TRACES_SAMPLER: there is no sampler sometimes');
  for (const share of ['2', '-1', 'half'])
    expect(() => samples('traceidratio', share)).toThrow('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
});
