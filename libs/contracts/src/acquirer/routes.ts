import type { z } from 'zod';
import { inquiryAnswer, operationAnswers } from './answers.ts';
import { capabilities } from './capabilities.ts';
import { inquiryRequest, type OperationKind, operationKinds, operationRequests } from './operation-requests.ts';
import type { Problem } from './problems.ts';
import { settlementReport, settlementReportQuery } from './settlement-report.ts';

/** A request that an acquirer answers. All of them need the bearer token. */
export interface AcquirerRoute {
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  /** Whether it changes something, and so needs an `Idempotency-Key`. */
  isKeyed: boolean;
  query?: z.ZodObject;
  body?: z.ZodType;
  answer: z.ZodType;
  problems: readonly Problem[];
}

const everywhere = ['unauthorized', 'internal'] as const satisfies Problem[];

const named: Record<OperationKind, readonly [path: string, summary: string]> = {
  tokenize: ['/v1/tokens', 'Exchange a card for a token'],
  authorize: ['/v1/authorizations', 'Hold money on a card'],
  sale: ['/v1/sales', 'Charge a card'],
  capture: ['/v1/captures', 'Take held money, all of it or a part, once'],
  void: ['/v1/voids', 'Let go of held money'],
  refund: ['/v1/refunds', 'Give money of a sale or a capture back, all of it or in parts'],
};

const operationRoute = (kind: OperationKind): AcquirerRoute => ({
  method: 'POST',
  path: named[kind][0],
  summary: named[kind][1],
  isKeyed: true,
  body: operationRequests[kind],
  answer: operationAnswers[kind],
  problems: ['bad_request', 'refused', 'in_progress', 'too_large', 'key_reused', 'retry', ...everywhere],
});

/** Version 1 of the protocol that every acquirer speaks (docs/acquirers/protocol.md). */
export const acquirerRoutes = {
  ...(Object.fromEntries(operationKinds.map((kind) => [kind, operationRoute(kind)])) as Record<
    OperationKind,
    AcquirerRoute
  >),
  inquire: {
    method: 'POST',
    path: '/v1/inquiries',
    summary: 'What became of the operation with this key',
    isKeyed: false,
    body: inquiryRequest,
    answer: inquiryAnswer,
    problems: ['bad_request', 'too_large', ...everywhere],
  },
  capabilities: {
    method: 'GET',
    path: '/v1/capabilities',
    summary: 'What this acquirer can do',
    isKeyed: false,
    answer: capabilities,
    problems: everywhere,
  },
  settlementReport: {
    method: 'GET',
    path: '/v1/settlement-report',
    summary: 'The money that moved on a day',
    isKeyed: false,
    query: settlementReportQuery,
    answer: settlementReport,
    problems: ['bad_request', 'not_found', ...everywhere],
  },
} as const satisfies Record<string, AcquirerRoute>;
