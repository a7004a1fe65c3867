import { context } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';
import type { Response } from 'express';

/** Sets the route of the span and of the log line. A route is a template, because a path has ids in it. */
export function setRoute(res: Response, route: string): void {
  res.locals['route'] = route;
  setSpanRoute(route);
}

/** Like `setRoute`, for a server without Express. */
export function setSpanRoute(route: string): void {
  const metadata = getRPCMetadata(context.active());
  if (metadata !== undefined) metadata.route = route;
}
