import { type Envelope, newEvent } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import type { PartnerList, PartnerPayment } from '@cobro/contracts/partner-payments.ts';
import type { ParkedEvent } from '@cobro/events/parked.ts';
import { consumerQueue, deadLetterExchange, eventsExchange } from '@cobro/events/topology.ts';
import { type Database, sql } from '@cobro/postgres/database.ts';
import { testEvent } from '@cobro/testing/test-event.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import { runAdmin } from './operator.ts';
import type { StackUnderTest } from './stack-under-test.ts';

/** An event that no consumer can apply is parked until an operator handles it. */
export function parkedEvents({ stack, merchant, partner, db }: StackUnderTest): void {
  const publish = async (exchange: string, routingKey: string, event: Envelope) => {
    const connection = await connect(stack().brokerUrl);
    const channel = await connection.createConfirmChannel();
    const { content, headers } = stack().keys.signed(event);
    channel.publish(exchange, routingKey, content, { messageId: event.id, persistent: true, headers });
    await channel.waitForConfirms();
    await connection.close();
  };
  const list = () => runAdmin<ParkedEvent[]>(stack(), 'parked', 'list');
  const queue = (consumer: 'payments' | 'reporting' | 'webhooks') => consumerQueue(stack().eventsPrefix, consumer);

  test('one whose data is of another shape is parked, shown, put back, and parked again', async () => {
    const poison = testEvent('HoldCaptured', { data: { paymentId: 'none', amount: 'much' } });
    await publish(eventsExchange(stack().eventsPrefix), poison.type, poison);
    const parked = async () => (await list()).filter(({ eventId }) => eventId === poison.id);
    await until('all consumers have parked it', async () => (await parked()).length === 3);
    expect(await parked()).toEqual(
      expect.arrayContaining(
        (['payments', 'webhooks', 'reporting'] as const).map((consumer) => {
          const { type, subject } = poison;
          return expect.objectContaining({ queue: queue(consumer), type, subject, failures: 1 });
        }),
      ),
    );
    const [shown] = await runAdmin<ParkedEvent[]>(stack(), 'parked', 'show', '--id', poison.id);
    expect(JSON.parse(shown?.body ?? '')).toEqual(poison);

    const retried = await runAdmin<ParkedEvent[]>(stack(), 'parked', 'retry', '--id', poison.id);
    expect(retried).toHaveLength(3);
    await until('all have parked it again', async () => (await parked()).length === 3);
  });

  test('one that can be applied by now is applied when it is put back', async () => {
    const card = await merchant().saveCard();
    const { id } = (await merchant().charge(card)).body;
    const organizationName = async () => {
      const { body } = await partner().send<PartnerList<PartnerPayment>>('GET', `/developer/payment?id=${id}`);
      return body.data[0]?.organization.name;
    };
    await until('the partner sees the payment', async () => (await organizationName()) !== undefined);
    const renamed = await organizationChanged(db('gateway'), stack().merchants.organizationId, 'Café La Habana');
    // Parked as the broker parks an event that was delivered too often.
    await publish(deadLetterExchange(stack().eventsPrefix), queue('reporting'), renamed);
    await until('it is parked', async () => (await list()).some(({ eventId }) => eventId === renamed.id));
    expect(await organizationName()).not.toBe('Café La Habana');
    await runAdmin(stack(), 'parked', 'retry', '--id', renamed.id);
    await until('it is applied', async () => (await organizationName()) === 'Café La Habana');
    expect((await list()).map(({ eventId }) => eventId)).not.toContain(renamed.id);
  });

  test('an event that is not parked cannot be put back', async () => {
    await expect(runAdmin(stack(), 'parked', 'retry', '--id', newId())).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is parked/),
    });
  });
}

async function organizationChanged(gateway: Database, id: string, name: string) {
  const { partnerId } = await gateway.one<{ partnerId: string }>(
    sql`select partner_id as "partnerId" from organizations where id = ${id}`,
  );
  const data = { organizationId: id, name, websiteURL: null, partnerId };
  return newEvent('OrganizationChanged', { subject: id, sequence: 2, time: new Date(), data });
}
