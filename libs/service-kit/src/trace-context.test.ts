import { expect, test } from '@jest/globals';
import { defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { createTraceContext } from './trace-context.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('of a caller’s trace only the traceparent goes on', () => {
  const propagator = createTraceContext();
  const headers = { traceparent, tracestate: 'vendor=4242424242424242', baggage: 'card=4242424242424242' };
  const context = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
  expect(trace.getSpanContext(context)).toMatchObject({ traceId: traceparent.slice(3, 35), isRemote: true });
  const carried = {};
  propagator.inject(context, carried, defaultTextMapSetter);
  expect(carried).toEqual({ traceparent });
});
