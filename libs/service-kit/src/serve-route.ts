import type { Caller } from '@cobro/contracts/caller.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf, RouteContract, SentFrom } from '@cobro/contracts/route.ts';
import { validate } from '@cobro/contracts/validation.ts';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { checkAnswer } from './answer-check.ts';
import { requireMedia, unreadBody } from './body.ts';
import { sendParts } from './send-parts.ts';
import { setRoute } from './set-route.ts';
import { idsInAnswer, idsInPath, idsOfCaller, annotateSpan } from './annotate-span.ts';

/** A contract and the use case that implements it. */
export interface ServedRoute<Deps> {
  contract: RouteContract;
  useCase: (deps: Deps, input: InputOf<RouteContract>) => Promise<Answer>;
}

type Answer = {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  text?: string;
  parts?: AsyncIterable<string>;
};

/** Binds a use case to its contract, which types the use case's input and answer. */
export const route = <C extends RouteContract, Deps>(
  contract: C,
  useCase: (deps: Deps, input: InputOf<C>) => Promise<AnswerOf<C>>,
): ServedRoute<Deps> => ({ contract, useCase: useCase as unknown as ServedRoute<Deps>['useCase'] });

const nothing = z.strictObject({});

/**
 * Checks who calls (403), the body's media type (415), then path and query (400), runs the use case and sends its answer. `path` is the
 * one that callers of this process know.
 */
export function serveRoute<Deps>(
  deps: Deps,
  { contract, useCase }: ServedRoute<Deps>,
  path: string = contract.path,
): RequestHandler {
  const idsIn = idsInPath(contract.path);
  return async (req, res) => {
    nameContract(res, contract, path);
    const caller = res.locals['caller'] as Caller;
    annotateSpan({ ...idsOfCaller(caller), ...idsIn(req.params) });
    if (caller.kind !== contract.who) throw new Refusal('FORBIDDEN');
    requireMedia(contract.body, req);
    const answer = await useCase(deps, {
      caller,
      params: validate(contract.params ?? nothing, { ...req.params }) as never,
      query: validate(contract.query ?? nothing, { ...req.query }) as never,
      deadline: res.locals['deadline'] as number,
      readBody: readerOf(contract, req),
      from: sentFrom(req),
      onceLeft: (listener) => void res.once('close', () => !res.writableFinished && listener()),
    });
    checkAnswer(contract, answer);
    annotateSpan(idsInAnswer(contract, answer.body));
    if (answer.parts === undefined) send(res, answer);
    else await sendParts(res.status(answer.status).set(answer.headers ?? {}), answer.parts);
  };
}

/** Validates the body when the use case reads it, so that a 404 for the path comes before the refusal of the body. */
const readerOf =
  ({ body }: RouteContract, req: Request) =>
  () => {
    if (body === undefined) throw new Error('this route has no body');
    return validate('json' in body ? body.json : body.form, unreadBody(body, req)) as never;
  };

/** Only the gateway sets these headers. A request from another service has none of them. */
const sentFrom = (req: Request): SentFrom => ({
  address: req.get('x-forwarded-for') ?? req.socket.remoteAddress ?? '',
  origin: req.get('origin'),
  fetchSite: req.get('sec-fetch-site'),
  languages: req.get('accept-language'),
});

function send(res: Response, answer: Answer): void {
  res.status(answer.status).set(answer.headers ?? {});
  // The answer's own headers say what type of text this is.
  if (answer.text !== undefined) res.end(answer.text);
  else if (answer.body === undefined) res.end();
  else res.json(answer.body);
}

/**
 * Names the contract for the span, the log line and the check of answers. `path` is the path's template, as callers of this
 * process know it.
 */
export function nameContract(res: Response, contract: RouteContract, path: string): void {
  res.locals['contract'] = contract;
  setRoute(res, path);
}
