import type { OperationKind } from '@cobro/contracts/acquirer/operation-requests.ts';
import { acquirerRoutes } from '@cobro/contracts/acquirer/routes.ts';

/**
 * Requests of services of release 0.1.0, which run beside newer ones while a stack is upgraded: the same operations, without `/v1`
 * in their paths and without the fields that version 1 of the protocol has added.
 */
export const pathsBefore = (kind: OperationKind): string => acquirerRoutes[kind].path.replace('/v1', '');

/** The body with the fields of version 1. */
export function asVersion1(kind: OperationKind, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  if (kind === 'tokenize') return { use: 'entryMode' in body ? 'once' : 'saved', ...body };
  const charge = { initiatedBy: 'customer', merchant: { id: NOBODY, descriptor: null } };
  if (kind === 'authorize') return { ...charge, ...body };
  return kind === 'sale' ? { ...charge, terms: 1, ...body } : body;
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
