import { context } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';
import type { Response } from 'express';

/** Names the route of the span and of the log line: its template, never the path with its ids. */
export function setRoute(res: Response, route: string): void {
  res.locals['route'] = route;
  setSpanRoute(route);
}

/** As `setRoute`, for a server that has no Express. */
export function setSpanRoute(route: string): void {
  const metadata = getRPCMetadata(context.active());
  if (metadata !== undefined) metadata.route = route;
}
