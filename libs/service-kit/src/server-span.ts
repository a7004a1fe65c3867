import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import {
  type Attributes,
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { masked } from './masked-text.ts';

const tracer = trace.getTracer('@cobro/service-kit');

/** A listener that everybody can reach. */
export interface Door {
  /** Whether our own proxy writes every `traceparent` that comes. */
  trustTraceparent: boolean;
}

const isQuiet = (path: string | undefined) =>
  path !== undefined && /^\/(health|metrics|internal\/clock|v1\/capabilities)/.test(path);

/**
 * Serves each request in a span, under OpenTelemetry's names for HTTP, without the path and query that a caller writes. The
 * library's instrumentation also wraps each listener of each request, which costs as much as the span.
 */
export function inServerSpan(serve: RequestListener, door?: Door): RequestListener {
  const begin = door === undefined ? continued : atTheDoor(door);
  return (req, res) => {
    if (isQuiet(req.url)) return serve(req, res);
    const { parent, links } = begin(req);
    const { method = 'GET' } = req;
    const span = tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, attributes: attributesOf(method, req), links },
      parent,
    );
    res.once('close', () => end(span, res));
    context.with(trace.setSpan(parent, span), serve, undefined, req, res);
  };
}

type Beginning = (req: IncomingMessage) => { parent: Context; links: Link[] };

/** The caller is one of us, so the span is below the caller's. */
const continued: Beginning = ({ headers }) => ({ parent: propagation.extract(context.active(), headers), links: [] });

/**
 * Anybody can call, so the trace begins here, whatever id and sampling flag the caller has sent. The span links to the caller's trace.
 */
function atTheDoor({ trustTraceparent }: Door): Beginning {
  return ({ headers }) => {
    const callers = propagation.extract(ROOT_CONTEXT, headers);
    if (trustTraceparent) return { parent: callers, links: [] };
    const caller = trace.getSpanContext(callers);
    return { parent: ROOT_CONTEXT, links: caller === undefined ? [] : [{ context: caller }] };
  };
}

const LONGEST_USER_AGENT = 120;

function attributesOf(method: string, { headers, socket }: IncomingMessage): Attributes {
  return {
    'http.request.method': method,
    'url.scheme': 'http',
    'user_agent.original': masked(headers['user-agent'] ?? '').slice(0, LONGEST_USER_AGENT),
    'network.peer.address': socket.remoteAddress,
  };
}

function end(span: Span, { statusCode }: ServerResponse): void {
  span.setAttribute('http.response.status_code', statusCode);
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Names the current request's span by its route, which is a template, because a path has ids in it. */
export function setSpanRoute(method: string, route: string): void {
  trace.getActiveSpan()?.updateName(`${method} ${route}`).setAttribute('http.route', route);
}
