import type { OutsideRoute } from './outside-routes.ts';

export type RouteMatch =
  | { kind: 'route'; route: OutsideRoute }
  /** The path exists, but only with the methods in `allow`. */
  | { kind: 'wrong method'; route: OutsideRoute; allow: string[] }
  | { kind: 'unknown' };

interface Node {
  named: Map<string, Node>;
  parameter: Node | undefined;
  routes: Map<string, OutsideRoute>;
}

// The characters that RFC 3986 allows in a segment. With any other (#, \, control characters) two parsers may disagree about the
// path.
const SEGMENT = /^[\w.~%!$&'()*+,;=:@-]+$/;

const newNode = (): Node => ({ named: new Map(), parameter: undefined, routes: new Map() });

/**
 * Finds a route by method and raw path. The match is exact: case counts, empty segments do not match, nothing is decoded. HEAD
 * counts as GET.
 */
export function routeFinder(routes: readonly OutsideRoute[]): (method: string, path: string) => RouteMatch {
  const root = newNode();
  for (const route of routes) {
    const node = route.path.slice(1).split('/').reduce(childOf, root);
    node.routes.set(route.method, route);
    if (route.method === 'GET') node.routes.set('HEAD', route);
  }
  return (method, path) => {
    const node = path.startsWith('/') ? find(root, path.slice(1).split('/'), 0) : undefined;
    if (node === undefined) return { kind: 'unknown' };
    const route = node.routes.get(method);
    if (route !== undefined) return { kind: 'route', route };
    const [any] = node.routes.values();
    return any === undefined
      ? { kind: 'unknown' }
      : { kind: 'wrong method', route: any, allow: [...node.routes.keys()] };
  };
}

function childOf(node: Node, segment: string): Node {
  if (segment.startsWith(':')) return (node.parameter ??= newNode());
  const child = node.named.get(segment) ?? newNode();
  node.named.set(segment, child);
  return child;
}

function find(node: Node, segments: string[], at: number): Node | undefined {
  const segment = segments[at];
  if (segment === undefined) return node;
  const named = node.named.get(segment);
  if (named !== undefined) return find(named, segments, at + 1);
  return node.parameter !== undefined && SEGMENT.test(segment) ? find(node.parameter, segments, at + 1) : undefined;
}
