import { SpanStatusCode, type Span, trace } from '@opentelemetry/api';
import type { SpanIds } from '@cobro/contracts/span-ids.ts';
import type { Operation } from './journal.store.ts';

const tracer = trace.getTracer('@cobro/bank');

/**
 * Does something about an operation in the span of the request that it belongs to. Where that has ended, and where nobody asked
 * for it, as in the sweep, a span named after the operation's purpose is made.
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
