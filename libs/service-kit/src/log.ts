import { pino } from 'pino';

export type { Logger as Log } from 'pino';

/** The only fields that reach a log line; everything else is dropped, whatever a caller passes. */
const ALLOWED = new Set([
  'requestId',
  'method',
  'route',
  'status',
  'durationMs',
  'code',
  'callerKind',
  'keyId',
  'organizationId',
  'paymentId',
  'paymentMethodId',
  'operationId',
  'operationKind',
  'outcome',
  'event',
  'eventId',
  'type',
  'queue',
  'attempt',
  'count',
  'port',
  'partnerPort',
  'target',
  'errorName',
  'errorCode',
  'stack',
  'reason',
  'signal',
  'service',
  'job',
  'connection',
  'lagMs',
  'trace_id',
  'span_id',
  'trace_flags',
]);

// Whatever a message or a stack quotes: what could be a card number, and is no part of an id.
const LONG_DIGITS = /(?<![\w-])\d{12,19}(?![\w-])/g;

function allowed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'err' || name === 'error') Object.assign(kept, describeError(value));
    else if (ALLOWED.has(name)) kept[name] = value;
  }
  return kept;
}

/** A bug's name, code and stack, and none of its other fields: a database's `detail` quotes a row. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { errorName: typeof error };
  return {
    errorName: error.name,
    errorCode: (error as { code?: unknown }).code,
    stack: error.stack,
  };
}

export function createLog(options: { service: string; level: string }) {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: allowed },
    hooks: { streamWrite: (line: string) => line.replaceAll(LONG_DIGITS, '[digits]') },
  };
  // Lines of a tenth of a second leave in one write: a write for each would be a good part of what a request costs.
  const lines = pino.destination({ sync: true, minLength: 8_192, periodicFlush: 100 });
  process.on('exit', () => lines.flushSync());
  return pino(settings, lines);
}
