import type { Response } from 'express';
import { setSpanRoute } from './server-span.ts';

/** Sets the route of the span and of the log line. A route is a template, because a path has ids in it. */
export function setRoute(res: Response, route: string): void {
  res.locals['route'] = route;
  setSpanRoute(res.req.method, route);
}
