import { idOf, type Span } from './spans.ts';

/** An id in a path, or the name of one in a route. */
const AN_ID = /[\da-f]{8}-[\da-f-]{27}|:\w+/g;

const textOf = (span: Span, name: string): string | undefined => {
  const value = span.attributes[name];
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
};

const STATUS = 'http.response.status_code';

/** A call that broke off before any answer came. */
export const isUnanswered = (span: Span): boolean =>
  span.kind === 'client' && textOf(span, 'http.request.method') !== undefined && textOf(span, STATUS) === undefined;

/** What the span did, in a few words and without ids. `caller` is its parent. */
export function nameOf(span: Span, caller?: Span): string {
  const name = shortName(span, caller);
  const isShownBefore = isUnanswered(span) || textOf(span, STATUS) !== undefined;
  return span.status === 'error' && !isShownBefore ? `${name}: failed` : name;
}

function shortName(span: Span, caller: Span | undefined): string {
  if (textOf(span, 'db.system.name') !== undefined) {
    return textOf(span, 'db.query.summary') ?? statementName(span.name);
  }
  const event = idOf(span, 'eventType');
  if (span.kind === 'consumer') return `take ${event ?? ''}`;
  const method = textOf(span, 'http.request.method');
  if (method === undefined) {
    const outcome = textOf(span, 'outcome');
    return outcome === undefined ? span.name : `${span.name}: ${outcome}`;
  }
  // A call of the gateway is named by the route of its request, because the path is the caller's.
  const route = textOf(span, 'http.route') ?? textOf(span, 'url.template') ?? (caller && textOf(caller, 'http.route'));
  const path = (route ?? '').replaceAll(AN_ID, '…');
  // A server writes down a status even if its caller has left.
  const hasLeft = caller !== undefined && isUnanswered(caller);
  const answer = isUnanswered(span) || hasLeft ? 'no answer' : textOf(span, STATUS);
  return [method, path, span.kind === 'server' ? event : undefined, answer && `→ ${answer}`].filter(Boolean).join(' ');
}

/** `select payment yUqqK…` is `select payment`, and `redis-EVALSHA` is `evalsha`. */
const statementName = (name: string): string =>
  name
    .replace(/^redis-/, '')
    .split(' ')
    .slice(0, 2)
    .join(' ')
    .toLowerCase();
