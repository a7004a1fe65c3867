import { type Moment, spanOf } from './moments.ts';
import { isUnanswered, nameOf } from './name-of-span.ts';
import type { Micros, Span, Trace } from './spans.ts';

/** One line of a waterfall. A moment has no length. */
export interface Row {
  kind: 'span' | 'statements' | 'moment';
  depth: number;
  process: string;
  what: string;
  start: Micros;
  end: Micros;
}

interface Node {
  span: Span;
  children: Node[];
  moments: Moment[];
}

/**
 * The lines of a trace, parents before what they did. Unless `full`, successive statements are one line, and a call is the line of the
 * process that served it. A span whose parent was not kept stands beside the root.
 */
export function rowsOf(trace: Trace, moments: readonly Moment[], full: boolean): Row[] {
  const nodes = new Map<string, Node>(
    trace.spans.map((span) => [span.spanId, { span, children: [], moments: [] }] as const),
  );
  for (const moment of moments) {
    const spanOfMoment = spanOf(moment, trace);
    if (spanOfMoment !== undefined) nodes.get(spanOfMoment.span.spanId)?.moments.push(moment);
  }
  const roots: Node[] = [];
  for (const node of nodes.values()) {
    (nodes.get(node.span.parentSpanId ?? '')?.children ?? roots).push(node);
  }
  return linesOf(full ? roots : roots.map(withoutCalls), [], { depth: 0, full });
}

/** Replaces a call by the span that served it, if nothing is lost by that. */
function withoutCalls(node: Node): Node {
  const served = { ...node, children: node.children.map(withoutCalls) };
  const [only] = served.children;
  const isCall = node.span.kind === 'client' && served.children.length === 1 && only?.span.kind === 'server';
  return only !== undefined && isCall && !isUnanswered(node.span) && node.moments.length === 0 ? only : served;
}

const isStatement = ({ span, children, moments }: Node) =>
  span.attributes['db.system.name'] !== undefined &&
  span.status !== 'error' &&
  children.length === 0 &&
  moments.length === 0;

interface Position {
  depth: number;
  full: boolean;
  /** The span above. */
  caller?: Span;
}

/** The lines of these nodes and moments, in the order of time. */
function linesOf(nodes: readonly Node[], moments: readonly Moment[], { depth, full, caller }: Position): Row[] {
  const rows: Row[] = [];
  let statements: Node[] = [];
  const flush = () => {
    if (statements.length > 0) rows.push(statementsRow(statements, depth));
    statements = [];
  };
  for (const item of inOrder(nodes, moments)) {
    if ('at' in item) {
      flush();
      const { at, service, what } = item;
      rows.push({ kind: 'moment', depth, process: service, what, start: at, end: at });
    } else if (!full && isStatement(item)) {
      statements.push(item);
    } else {
      flush();
      const { span, children } = item;
      const { start, end } = span;
      rows.push({ kind: 'span', depth, process: span.service ?? '?', what: nameOf(span, caller), start, end });
      rows.push(...linesOf(children, item.moments, { depth: depth + 1, full, caller: span }));
    }
  }
  flush();
  return rows;
}

/** A database rounds to the millisecond, and a span's start is cut to one, so either may seem to come first. */
const UNSURE: Micros = 2_000;

function inOrder(nodes: readonly Node[], moments: readonly Moment[]): (Node | Moment)[] {
  const calls = nodes.filter(isCall).map(({ span }) => span.start);
  const timeOf = (item: Node | Moment): Micros => {
    if (!('at' in item)) return item.span.start;
    if (item.isClaim !== true) return item.at;
    const after = calls.filter((start) => start >= item.at - UNSURE);
    return Math.min(item.at, ...after.map((start) => start - 1));
  };
  return [...nodes, ...moments].toSorted((a, b) => timeOf(a) - timeOf(b));
}

const isCall = ({ span }: Node) => span.attributes['http.request.method'] !== undefined;

function statementsRow(nodes: readonly Node[], depth: number): Row {
  const spans = nodes.map(({ span }) => span);
  return {
    kind: 'statements',
    depth,
    process: spans[0]?.service ?? '?',
    what: spans.map((span) => nameOf(span)).join('; '),
    start: Math.min(...spans.map(({ start }) => start)),
    end: Math.max(...spans.map(({ end }) => end)),
  };
}
