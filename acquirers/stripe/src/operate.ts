import { createHash, createHmac } from 'node:crypto';
import { type OperationKind, operationRequests } from '@cobro/contracts/acquirer/operation-requests.ts';
import { byEach } from '@cobro/service-kit/key-ring.ts';
import type { z } from 'zod';
import { type Answer, type Ending, keyClosed, ProblemAnswer } from './answer.ts';
import { chargeCard } from './charge.ts';
import type { Deps, UnderWay } from './deps.ts';
import { endHold } from './ending-of-hold.ts';
import { accept, closeCancelled, closeUnsent, decide, find, type Operation } from './operation.store.ts';
import { refundCharge } from './refund.ts';
import { saveCard } from './save-card.ts';

type Requests = { [K in OperationKind]: { kind: K } & z.output<(typeof operationRequests)[K]> };
export type OperationRequest = Requests[OperationKind];

/** Runs an operation, or returns its earlier answer. @throws ProblemAnswer for every answer that is no 200 */
export async function operate(deps: Deps, underWay: UnderWay, key: string, request: OperationRequest): Promise<Answer> {
  const { db } = deps;
  const identities = identitiesOf(deps, request);
  const amount = 'amount' in request ? request.amount : null;
  await accept(db, { key, kind: request.kind, identity: identities[0], amount });
  const operation = await mustFind(deps, key);
  if (operation.closedAt !== null) return keyClosed(operation.closedAt);
  const isSame = operation.kind === request.kind && identities.includes(operation.identity ?? '');
  if (!isSame) throw new ProblemAnswer('key_reused', 'Another request was sent under this key before.');
  if (operation.answer !== null) return operation.answer;
  if (underWay.has(key)) throw new ProblemAnswer('in_progress', 'The same request is running.');
  const work = run(deps, underWay, operation, request).then((ending) => written(deps, key, ending));
  underWay.set(key, work);
  return work.finally(() => underWay.delete(key));
}

async function run(deps: Deps, underWay: UnderWay, operation: Operation, request: OperationRequest): Promise<Ending> {
  const message = outsideOf(deps, request);
  if (message !== undefined) return { is: 'not done', problem: 'refused', message };
  switch (request.kind) {
    case 'tokenize':
      return saveCard(deps, operation, request);
    case 'authorize':
    case 'sale':
      return chargeCard(deps, operation, request);
    case 'capture':
    case 'void':
      return endHold(deps, underWay, operation, request);
    case 'refund':
      return refundCharge(deps, operation, request);
  }
}

/** Writes down how the attempt ended, and returns the row's answer: an inquiry may have been sooner. */
async function written(deps: Deps, key: string, ending: Ending): Promise<Answer> {
  const { db } = deps;
  if (ending.is === 'decided') await decide(db, key, ending.answer);
  if (ending.is === 'closed') await closeCancelled(db, key);
  if (ending.is === 'not done' && (await closeUnsent(db, key))) throw new ProblemAnswer(ending.problem, ending.message);
  const { answer, closedAt } = await mustFind(deps, key);
  if (closedAt !== null) return keyClosed(closedAt);
  if (answer !== null) return answer;
  throw new ProblemAnswer('internal', 'What became of it is not known yet.');
}

async function mustFind({ db }: Deps, key: string): Promise<Operation> {
  const found = await find(db, key);
  if (found === undefined) throw new Error('an operation is gone');
  return found;
}

/** Why the request is outside of the capabilities. */
function outsideOf({ capabilities }: Deps, request: OperationRequest): string | undefined {
  if (request.kind !== 'authorize' && request.kind !== 'sale') return undefined;
  const { minimumAmount, maximumAmount, minimumPerTerm, terms } = capabilities;
  const months = request.kind === 'sale' ? request.terms : 1;
  if (!terms.includes(months)) return `terms: must be one of ${terms.join(', ')}`;
  const least = months === 1 ? minimumAmount : minimumPerTerm * months;
  const isInside = request.amount >= BigInt(least) && request.amount <= BigInt(maximumAmount);
  return isInside ? undefined : `amount: must be from ${least} to ${maximumAmount} centavos`;
}

/** A card has an identity by each key of the ring, because a repeat may come after a key was turned over. */
function identitiesOf({ fingerprintKeys }: Deps, request: OperationRequest): [string, ...string[]] {
  if (request.kind !== 'tokenize') return [createHash('sha256').update(textOf(request)).digest('base64url')];
  const card = [request.number.reveal(), request.expirationMonth, request.expirationYear, request.use].join(' ');
  return byEach(fingerprintKeys, (key) => createHmac('sha256', key.reveal()).update(card).digest('base64url'));
}

function textOf(request: Exclude<OperationRequest, { kind: 'tokenize' }>): string {
  switch (request.kind) {
    case 'authorize':
      return [request.kind, request.token, request.amount].join(' ');
    case 'sale':
      return [request.kind, request.token, request.amount, request.terms].join(' ');
    case 'capture':
      return [request.kind, request.authorization, request.amount].join(' ');
    case 'void':
      return [request.kind, request.authorization].join(' ');
    case 'refund':
      return [request.kind, request.original, request.amount].join(' ');
  }
}
