import { appendFileSync, statSync } from 'node:fs';
import { KEPT_BYTES, keepNewestLines } from './newest-lines.ts';
import { type SmallServer, openSmallServer } from './small-http-server.ts';

/** One line of the file. Times are ISO 8601 with microseconds, cut off from nanoseconds. */
export interface SpanLine {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: string;
  service: string | null;
  startTime: string;
  endTime: string;
  status: string;
  attributes: Record<string, unknown>;
  /** Ids of the traces that it has links to, where it has any. */
  links?: string[];
}

interface OtlpAttribute {
  key: string;
  value?: Record<string, unknown>;
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind?: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status?: { code?: number };
  attributes?: OtlpAttribute[];
  links?: { traceId: string }[];
}

/** What an exporter sends, and what each line of the file of a collector's file exporter is. */
export interface OtlpTraces {
  resourceSpans?: { resource?: { attributes?: OtlpAttribute[] }; scopeSpans?: { spans?: OtlpSpan[] }[] }[];
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const STATUSES = ['unset', 'ok', 'error'];

/**
 * Takes OTLP over HTTP as JSON and appends one line per span to a file; this stands in for a collector. A file that grows beyond
 * `kept` bytes is cut down to the newest three quarters of that.
 */
export function openSpanSink(port: number, file: string, kept = KEPT_BYTES): Promise<SmallServer> {
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const append = (lines: string) => {
    appendFileSync(file, lines, { mode: 0o600 });
    size += Buffer.byteLength(lines);
    if (size <= kept) return;
    keepNewestLines(file, Math.floor(kept * 0.75));
    ({ size } = statSync(file));
  };
  return openSmallServer(port, ({ method, path, body }) => {
    if (method !== 'POST' || !/^\/v1\/(traces|metrics|logs)$/.test(path)) return { status: 404, body: {} };
    if (path === '/v1/traces') {
      append(
        spanLines(JSON.parse(body) as OtlpTraces)
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      );
    }
    return { status: 200, body: {} };
  });
}

export function spanLines({ resourceSpans = [] }: OtlpTraces): SpanLine[] {
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const service = attributesIn(resource?.attributes)['service.name'];
    const spans = scopeSpans.flatMap((scope) => scope.spans ?? []);
    return spans.map((span) => lineOf(span, typeof service === 'string' ? service : null));
  });
}

function lineOf(span: OtlpSpan, service: string | null): SpanLine {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId || null,
    name: span.name,
    kind: KINDS[span.kind ?? 0] ?? 'unspecified',
    service,
    startTime: timeOf(span.startTimeUnixNano),
    endTime: timeOf(span.endTimeUnixNano),
    status: STATUSES[span.status?.code ?? 0] ?? 'unset',
    attributes: attributesIn(span.attributes),
    ...(span.links?.length && { links: span.links.map(({ traceId }) => traceId) }),
  };
}

function timeOf(unixNano: string): string {
  const nanos = BigInt(unixNano);
  const micros = String((nanos / 1_000n) % 1_000n).padStart(3, '0');
  return new Date(Number(nanos / 1_000_000n)).toISOString().replace('Z', `${micros}Z`);
}

function attributesIn(attributes: OtlpAttribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

/** { stringValue: 'x' } → 'x'. An int64 comes as a string in JSON. */
function plain(value: Record<string, unknown> = {}): unknown {
  const [[type, content] = []] = Object.entries(value);
  if (type === 'intValue') return Number(content);
  if (type === 'arrayValue') {
    return ((content as { values?: Record<string, unknown>[] }).values ?? []).map((item) => plain(item));
  }
  if (type === 'kvlistValue') return attributesIn((content as { values?: OtlpAttribute[] }).values);
  return content ?? null;
}
