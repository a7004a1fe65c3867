import type { SpanIds } from '@cobro/contracts/span-ids.ts';
import { traceHeaders } from '@cobro/metrics/trace-headers.ts';
import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Operation } from './journal.store.ts';

const tracer = trace.getTracer('@cobro/bank');

/**
 * Does something about an operation in the span of the request that it belongs to. If that span has ended, or there is none, as in
 * the sweep, it makes a span named after the operation's purpose.
 */
export function inSpanOf<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
  const active = trace.getActiveSpan();
  if (active?.isRecording() !== true) return inNewSpan(operation.purpose, false, operation, work);
  active.setAttributes(idsOf(operation));
  return work();
}

/** Asks what became of an operation, in a trace of its own: the request's may have ended long ago. */
export const inTraceOfInquiry = <Result extends string>(operation: Operation, ask: () => Promise<Result>) =>
  inNewSpan('inquiry', true, operation, async (span) => {
    const outcome = await ask();
    span.setAttribute('outcome', outcome);
    return outcome;
  });

/** Calls the bank in a span if the active span is recorded. `call` gets the headers of the trace. */
export async function inCallSpan<Answer extends { statusCode: number }>(
  path: string,
  call: (headers: Record<string, string>) => Promise<Answer>,
): Promise<Answer> {
  if (trace.getActiveSpan()?.isRecording() !== true) return call(traceHeaders());
  const attributes = { 'http.request.method': 'POST', 'url.template': path };
  const span = tracer.startSpan('POST', { kind: SpanKind.CLIENT, attributes });
  try {
    const answer = await context.with(trace.setSpan(context.active(), span), () => call(traceHeaders()));
    span.setAttribute('http.response.status_code', answer.statusCode);
    return answer;
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

const inNewSpan = <T>(name: string, root: boolean, operation: Operation, work: (span: Span) => Promise<T>) =>
  tracer.startActiveSpan(name, { root, attributes: idsOf(operation) }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      // Without the error's message, which may quote a row.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });

const idsOf = ({ id, purpose, subjectId }: Operation) =>
  ({
    operationId: id,
    operationKind: purpose,
    [purpose === 'save' ? 'paymentMethodId' : 'paymentId']: subjectId,
  }) satisfies SpanIds;
