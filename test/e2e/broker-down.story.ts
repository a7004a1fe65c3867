import { setTimeout as sleep } from 'node:timers/promises';
import type { Payment } from '@cobro/contracts/payments.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import type { ServiceName } from '../../tools/stack/services.ts';
import { brokenPromises, startLoad } from './load.ts';
import type { StackUnderTest } from './stack-under-test.ts';

const SERVICES: ServiceName[] = ['gateway', 'payments', 'holds', 'reporting'];

/** Without a broker merchants notice nothing but that the developer API is behind; with it nothing is lost or done twice. */
export function brokerDown({ stack, broker, merchant, agreed }: StackUnderTest): void {
  const developerStatus = async (id: string) => {
    const { status, body } = await merchant().send('GET', `/developer/v1/payment/${id}`);
    return status === 200 ? body['status'] : status;
  };

  test('a broker that was never there: services start, are ready and do their work, and catch up when it comes', async () => {
    await broker.stop();
    const exitCodes = await Promise.all(SERVICES.map((name) => stack().processes.stop(name)));
    expect(exitCodes).toEqual([0, 0, 0, 0]);
    await Promise.all(SERVICES.map((name) => stack().processes.start(name)));
    for (const [url] of Object.values(stack().urls)) {
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    }
    const made = await everyOperation();
    await broker.start();
    for (const [id, status] of made) {
      await until(`${id} is shown as ${status}`, async () => (await developerStatus(id)) === status, 30_000);
    }
    await expect(agreed()).resolves.toBeUndefined();
  }, 120_000);

  test('a broker that dies under load and comes back', async () => {
    const card = await merchant().saveCard();
    const load = startLoad(merchant(), card);
    await until('the load is under way', () => load.done() > 30, 30_000);
    await broker.stop();
    const before = load.done();
    await until('the load goes on without a broker', () => load.done() > before + 50, 30_000);
    await broker.start();
    await sleep(1_000);
    const work = await load.stop();
    expect(work.refusals).toEqual([]);
    expect(work.lost).toEqual([]);
    expect(await brokenPromises(merchant(), card, work)).toEqual([]);
    await expect(agreed()).resolves.toBeUndefined();
  }, 120_000);

  /** One of each, read back at once; by id, the status in which each ends. */
  async function everyOperation(): Promise<[id: string, status: string][]> {
    const card = await merchant().saveCard();
    const charge = (await merchant().charge(card)).body;
    const refund = (await merchant().charge(card)).body;
    const [capture, release, both] = [
      (await merchant().hold(card)).body,
      (await merchant().hold(card)).body,
      (await merchant().hold(card)).body,
    ];
    const statuses = [
      await merchant().refund(card, refund.id),
      await merchant().capture(card, capture.id, 30),
      await merchant().release(card, release.id),
      await merchant().capture(card, both.id),
      await merchant().refund(card, both.id),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    const made: [string, string][] = [
      [both.id, 'REFUNDED'],
      [release.id, 'HOLD_RELEASED'],
      [capture.id, 'CONFIRMED'],
      [refund.id, 'REFUNDED'],
      [charge.id, 'CONFIRMED'],
    ];
    const list = await merchant().send<{ items: Payment[] }>('GET', `/payment-method/${card}/payment`);
    expect(list.body.items.map(({ id, status }) => [id, status])).toEqual(made);
    for (const [id, status] of made) expect((await merchant().read(card, id)).body.status).toBe(status);
    expect(await developerStatus(charge.id)).toBe(404);
    return made;
  }
}
