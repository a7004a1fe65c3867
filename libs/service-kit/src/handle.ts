import type { Caller, CallerKind, CallerOf } from '@cobro/contracts/caller.ts';
import { Refusal, TRY_AGAIN_AFTER_S } from '@cobro/contracts/refusals.ts';
import { validate } from '@cobro/contracts/validation.ts';
import { context } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });

/** 202: what becomes of it is not known yet, and `location` will tell. */
export const accepted = (body: unknown, location: string): Answer => ({
  status: 202,
  body,
  headers: { 'Retry-After': String(TRY_AGAIN_AFTER_S), Location: location },
});

interface Spec<K extends CallerKind, P extends z.ZodType, Q extends z.ZodType> {
  /** The kinds of caller that this route serves; others get 403. */
  caller: K;
  params?: P;
  query?: Q;
}

export interface Input<K extends CallerKind, P, Q> {
  caller: CallerOf<K>;
  params: P;
  query: Q;
  /** Until when (a `performance.now()` value) the caller waits for the answer. */
  deadline: number;
  /** Unread: the use case reads it at its place in the order of checks. */
  body: unknown;
}

const nothing = z.strictObject({});

/** One route: who may call, what path and query must be, the use case, its answer. Sets the route of the span and the log. */
export function handle<
  K extends CallerKind,
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
>(spec: Spec<K, P, Q>, useCase: (input: Input<K, z.output<P>, z.output<Q>>) => Promise<Answer>): RequestHandler {
  return async (req, res) => {
    nameRoute(req, res);
    const caller = res.locals['caller'] as Caller;
    if (caller.kind !== spec.caller) throw new Refusal('FORBIDDEN');
    const params = validate(spec.params ?? nothing, { ...req.params }) as z.output<P>;
    const query = validate(spec.query ?? nothing, { ...req.query }) as z.output<Q>;
    const deadline = res.locals['deadline'] as number;
    const answer = await useCase({ caller: caller as CallerOf<K>, params, query, deadline, body: req.body as unknown });
    res
      .status(answer.status)
      .set(answer.headers ?? {})
      .json(answer.body);
  };
}

function nameRoute(req: Request, res: Response): void {
  setRoute(res, req.baseUrl + ((req.route as { path: string } | undefined)?.path ?? ''));
}

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
