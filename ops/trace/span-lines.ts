/** One line of a file of spans. Times are ISO 8601 with microseconds, cut off from nanoseconds. */
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
  /** Ids of the traces that it links to, if any. */
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

/** What an exporter sends, and each line in the file of a collector's file exporter. */
export interface OtlpTraces {
  resourceSpans?: { resource?: { attributes?: OtlpAttribute[] }; scopeSpans?: { spans?: OtlpSpan[] }[] }[];
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const STATUSES = ['unset', 'ok', 'error'];

/** The lines of an exporter's request. */
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
