import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino } from 'pino';

export type { Logger as Log } from 'pino';

/** The only fields that reach a log line. Everything else is dropped, whatever the code passes. */
const ALLOWED = new Set([
  'requestId',
  'method',
  'route',
  'status',
  'durationMs',
  'code',
  'callerKind',
  'keyId',
  'personId',
  'organizationId',
  'paymentId',
  'paymentMethodId',
  'operationId',
  'operationKind',
  'event',
  'eventId',
  'type',
  'queue',
  'attempt',
  'acquirer',
  'count',
  'port',
  'partnerPort',
  'target',
  'errorName',
  'errorCode',
  'errorKind',
  'stack',
  'reason',
  'signal',
  'job',
  'connection',
  'lagMs',
  'trace_id',
  'span_id',
  'trace_flags',
]);

/**
 * Digits that could be a card number and are not part of an id. A message or a stack may quote them. A line is JSON, where the
 * letter before them may belong to an escaped line break or to another escaped character.
 */
const LONG_DIGITS = /(?:(?<![\w-])|(?<=\\[bfnrt])|(?<=\\u[\da-f]{4}))\d{12,19}(?![\w-])/g;

function allowed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'err' || name === 'error') Object.assign(kept, describeError(value));
    else if (ALLOWED.has(name)) kept[name] = value;
  }
  return kept;
}

/**
 * An error's name, code, kind (of DatabaseUnavailable: `connect`, `pool` or `query`) and stack. Its other fields are left out, because a
 * database's `detail` quotes a row.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { errorName: typeof error };
  const { code, kind } = error as { code?: unknown; kind?: unknown };
  return {
    errorName: error.name,
    errorCode: code,
    errorKind: kind,
    stack: error.stack,
  };
}

/** The ids of the span in which a line is written. OpenTelemetry's instrumentation does not find pino in a packed program (ADR 13). */
function activeSpan(): Record<string, string> {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined || !isSpanContextValid(span)) return {};
  return { trace_id: span.traceId, span_id: span.spanId, trace_flags: `0${span.traceFlags.toString(16)}` };
}

export function createLog(options: { service: string; level: string }) {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: activeSpan,
    formatters: { level: (label: string) => ({ level: label }), log: allowed },
    hooks: { streamWrite: (line: string) => line.replaceAll(LONG_DIGITS, '[digits]') },
  };
  // Lines of a tenth of a second are written together, because a write for each line would be a good part of a request's cost.
  const lines = pino.destination({ sync: true, minLength: 8_192, periodicFlush: 100 });
  process.on('exit', () => lines.flushSync());
  return pino(settings, lines);
}
