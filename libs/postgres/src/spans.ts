/**
 * Each transaction of a traced request is one span that names its statements; a claim or a settlement is one span too. A span for
 * each statement cost a sixth of the requests per second (docs/performance.md, Figures).
 */
import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type Tx, watched } from './pipelined-transaction.ts';
import { summaryOf } from './sql.ts';
import { isOfPostgres, sqlStateOf } from './unavailable.ts';

const tracer = trace.getTracer('@cobro/postgres');
const ofPostgres = { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } };

/** Runs `work` in a span of this name if the active span is recorded. */
export function inSpan<T>(name: string, work: (span: Span | undefined) => Promise<T>): Promise<T> {
  // A request that is not sampled gets no span.
  if (trace.getActiveSpan()?.isRecording() !== true) return work(undefined);
  const span = tracer.startSpan(name, ofPostgres);
  return work(span)
    .catch((error: unknown) => {
      const code = sqlStateOf(error);
      if (code !== undefined) span.setAttribute('db.response.status_code', code);
      // Without the error's message, which may quote a row.
      if (isOfPostgres(error)) span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    })
    .finally(() => span.end());
}

/**
 * Runs a transaction in a span that names the statements of `fn` in their order. If `fn` runs again, it names those of the last run.
 */
export function inTransactionSpan<T>(
  fn: (tx: Tx) => Promise<T>,
  run: (fn: (tx: Tx) => Promise<T>) => Promise<T>,
): Promise<T> {
  return inSpan('transaction', (span) => {
    if (span === undefined) return run(fn);
    let statements: string[] = [];
    const noting = (tx: Tx) => {
      statements = [];
      return fn(watched(tx, ({ text }) => void statements.push(summaryOf(text))));
    };
    const summarize = (end: string) => void span.setAttribute('db.query.summary', [...statements, end].join(', '));
    return run(noting).then(
      (result) => {
        summarize('commit');
        return result;
      },
      (error: unknown) => {
        summarize('rollback');
        throw error;
      },
    );
  });
}
