import { randomUUID } from 'node:crypto';
import type { Capabilities } from '@cobro/contracts/acquirer/capabilities.ts';
import type { OperationKind } from '@cobro/contracts/acquirer/operation-requests.ts';
import { testCards } from '@cobro/contracts/test-cards.ts';
import type { Acquirer, Answered, Json } from './acquirer.ts';
import { must } from './broken.ts';

/** An operation that was asked for, with its key and its answer. */
export interface Asked {
  kind: OperationKind;
  key: string;
  body: Json;
  answer: Json;
}

type CardName = 'approved' | 'declined' | 'insufficientFunds';

/** Operations in a few words. Amounts are centavos. */
export type Till = ReturnType<typeof openTill>;

export function openTill(acquirer: Acquirer, { minimumAmount, maximumAmount }: Capabilities) {
  /** Small enough to be taken in parts. */
  const part = Math.min(Math.max(minimumAmount, 1_000), Math.floor(maximumAmount / 10));
  const send = (kind: OperationKind, body: Json, key: string = randomUUID()): Promise<Answered> =>
    acquirer.ask(kind, { body, headers: { 'idempotency-key': key } });

  const decided = async (kind: OperationKind, body: Json, key: string = randomUUID()): Promise<Asked> => {
    const { status, body: answer } = await send(kind, body, key);
    must(status === 200, `${kind} was answered ${status} ${JSON.stringify(answer)}`);
    return { kind, key, body, answer };
  };
  const approved = async (kind: OperationKind, body: Json, key?: string): Promise<Asked> => {
    const asked = await decided(kind, body, key);
    must(asked.answer['outcome'] === 'approved', `${kind} was not approved: ${JSON.stringify(asked.answer)}`);
    return asked;
  };
  const declinedWith = async (declineCode: string, kind: OperationKind, body: Json, key?: string): Promise<Asked> => {
    const asked = await decided(kind, body, key);
    const isSo = asked.answer['outcome'] === 'declined' && asked.answer['declineCode'] === declineCode;
    must(isSo, `${kind} is not declined ${declineCode}: ${JSON.stringify(asked.answer)}`);
    return asked;
  };

  const bodies = bodiesFor({ id: randomUUID(), descriptor: null });
  const tokenOf = async (more: Json = {}): Promise<string> =>
    String((await approved('tokenize', { ...bodies.card(), ...more })).answer['token']);
  return {
    part,
    /** The amount of most operations: ten parts. */
    amount: part * 10,
    bodies,
    send,
    decided,
    approved,
    declinedWith,
    tokenOf,
    sell: async (amount: number) => approved('sale', bodies.sale(await tokenOf(), amount)),
    authorize: async (amount: number) => approved('authorize', bodies.charge(await tokenOf(), amount)),
    capture: (authorization: Asked, amount: number) => approved('capture', bodies.capture(authorization, amount)),
    refund: (original: Asked, amount: number) => approved('refund', bodies.refund(original, amount)),
    inquire: async (idempotencyKey: string, close = false): Promise<Json> => {
      const { status, body } = await acquirer.ask('inquire', { body: { idempotencyKey, close } });
      must(status === 200, `the inquiry was answered ${status} ${JSON.stringify(body)}`);
      return body;
    },
    repeat: ({ kind, body, key }: Asked) => send(kind, body, key),
  };
}

function bodiesFor(merchant: Json) {
  const charge = (token: string, amount: number): Json => ({
    token,
    amount,
    currency: 'MXN',
    initiatedBy: 'merchant',
    merchant,
  });
  return {
    card: (name: CardName = 'approved'): Json => ({
      number: testCards[name],
      expirationMonth: 12,
      expirationYear: new Date().getUTCFullYear() + 3,
      cvc: '123',
      holderName: 'Ana Torres',
      use: 'saved',
    }),
    charge,
    sale: (token: string, amount: number, terms = 1): Json => ({ ...charge(token, amount), terms }),
    capture: ({ answer }: Asked, amount: number): Json => ({ authorization: answer['reference'], amount }),
    void: ({ answer }: Asked): Json => ({ authorization: answer['reference'] }),
    refund: ({ answer }: Asked, amount: number): Json => ({ original: answer['reference'], amount }),
  };
}
