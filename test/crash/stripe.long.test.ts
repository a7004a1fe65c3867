import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  adapterCharge,
  type RunningStripeAdapter,
  settledAt,
  startStripeAdapter,
} from '@cobro/testing/start-stripe-adapter.ts';
import { packedFile } from '@cobro/testing/test-process.ts';
import { findLocalstripe } from '../../simulators/localstripe/src/find-programs.ts';
import { DIE_AT_HEADER } from './points.ts';

jest.setTimeout(900_000);

const python = await findLocalstripe();
const AMOUNT = 10_000;
const PART = 4_000;

interface Asked {
  path: string;
  body: Record<string, unknown>;
}

(python === undefined ? describe.skip : describe)(
  'the Stripe adapter dies at each commit and each request to Stripe of',
  () => {
    let adapter: RunningStripeAdapter;
    let token: string;
    beforeAll(async () => {
      const preload = packedFile('test/crash/die-at.ts');
      adapter = await startStripeAdapter(python as string, { NODE_OPTIONS: `--import=${preload}` });
      token = await adapter.tokenOf();
    });
    afterAll(() => adapter?.close());

    const charge = (kind: 'sales' | 'authorizations'): Asked => ({
      path: `/v1/${kind}`,
      body: { ...adapterCharge(token, AMOUNT), ...(kind === 'sales' && { terms: 1 }) },
    });
    /** Charges; returns the reference and the operation. */
    const charged = async (kind: 'sales' | 'authorizations') => {
      const { path, body } = charge(kind);
      const first = randomUUID();
      return { first, reference: (await adapter.post(path, body, first)).body['reference'] };
    };

    /** Sends the request so that the process dies at the point. False if it was answered. */
    async function dies(point: string, { path, body }: Asked, key: string): Promise<boolean> {
      const [kind, number, moment] = point.split(':');
      let requests = 0;
      adapter.rules.gate = async (at) => {
        if (at === moment && kind === 'call' && ++requests === Number(number)) {
          await adapter.kill();
          return 'cut';
        }
        return undefined;
      };
      const header = kind === 'commit' ? { [DIE_AT_HEADER]: point } : {};
      const answered = await adapter.post(path, body, key, header).catch(() => undefined);
      adapter.rules.gate = undefined;
      if (answered !== undefined) return false;
      await adapter.kill();
      await adapter.start();
      return true;
    }

    test.each<[string, () => Promise<Asked & { first?: string }>, (isDone: boolean) => object]>([
      [
        'a sale',
        () => Promise.resolve(charge('sales')),
        (isDone) => ({ held: 0, moved: isDone ? AMOUNT : 0, refunded: 0 }),
      ],
      [
        'an authorization',
        () => Promise.resolve(charge('authorizations')),
        (isDone) => ({ held: isDone ? AMOUNT : 0, moved: 0, refunded: 0 }),
      ],
      [
        'a capture',
        async () => {
          const { first, reference } = await charged('authorizations');
          return { first, path: '/v1/captures', body: { authorization: reference, amount: PART } };
        },
        (isDone) => ({ held: isDone ? 0 : AMOUNT, moved: isDone ? PART : 0, refunded: 0 }),
      ],
      [
        'a void',
        async () => {
          const { first, reference } = await charged('authorizations');
          return { first, path: '/v1/voids', body: { authorization: reference } };
        },
        (isDone) => ({ held: isDone ? 0 : AMOUNT, moved: 0, refunded: 0 }),
      ],
      [
        'a refund',
        async () => {
          const { first, reference } = await charged('sales');
          return { first, path: '/v1/refunds', body: { original: reference, amount: PART } };
        },
        (isDone) => ({ held: 0, moved: AMOUNT, refunded: isDone ? PART : 0 }),
      ],
    ])('%s: it is done once or not at all, and we know which', async (_name, prepare, truth) => {
      const deaths: string[] = [];
      for (const kind of ['commit', 'call']) {
        for (let number = 1, goesOn = true; goesOn; number++) {
          for (const moment of ['before', 'after']) {
            const point = `${kind}:${number}:${moment}`;
            const asked = await prepare();
            const key = randomUUID();
            goesOn = await dies(point, asked, key);
            if (!goesOn) break;
            deaths.push(point);
            const found = await settledAt(adapter, key);
            const { status, body } = await adapter.post(asked.path, asked.body, key);
            const isDone = found['outcome'] === 'approved';
            const keyClosed: unknown = expect.objectContaining({ outcome: 'declined', declineCode: 'key_closed' });
            expect({ point, status, body }).toEqual({
              point,
              status: 200,
              body: isDone ? found : keyClosed,
            });
            expect({ point, ...(await adapter.rules.truthOf(asked.first ?? key)) }).toEqual({
              point,
              ...truth(isDone),
            });
          }
        }
      }
      expect(deaths.filter((point) => point.startsWith('commit')).length).toBeGreaterThanOrEqual(3);
      expect(deaths.filter((point) => point.startsWith('call')).length).toBeGreaterThanOrEqual(1);
    });
  },
);
