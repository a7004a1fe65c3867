import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { masked, urlAttributes } from './masked-url.ts';

const tracer = trace.getTracer('@cobro/service-kit');

const isQuiet = (path: string | undefined) => path !== undefined && /^\/(health|metrics|internal\/clock)/.test(path);

/**
 * Serves each request in a span, under OpenTelemetry's names for HTTP, whose parent is the caller's. `setSpanRoute` names it. The
 * library's instrumentation of node:http does the same; it wraps each listener of each request besides, which costs as much as
 * the span.
 */
export function inServerSpan(serve: RequestListener): RequestListener {
  return (req, res) => {
    if (isQuiet(req.url)) return serve(req, res);
    const caller = propagation.extract(context.active(), req.headers);
    const { method = 'GET' } = req;
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: attributesOf(method, req) }, caller);
    res.once('close', () => end(span, res));
    context.with(trace.setSpan(caller, span), serve, undefined, req, res);
  };
}

function attributesOf(method: string, { url, headers, socket }: IncomingMessage) {
  return {
    'http.request.method': method,
    'url.scheme': 'http',
    ...urlAttributes(url),
    'user_agent.original': masked(headers['user-agent'] ?? ''),
    'network.peer.address': socket.remoteAddress,
  };
}

function end(span: Span, { statusCode }: ServerResponse): void {
  span.setAttribute('http.response.status_code', statusCode);
  if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Names the span of the request at work by its route, which is a template, because a path has ids in it. */
export function setSpanRoute(method: string, route: string): void {
  trace.getActiveSpan()?.updateName(`${method} ${route}`).setAttribute('http.route', route);
}
