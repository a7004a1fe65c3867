import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { webhooks, WebhookVerificationError } from '@cobro/client/webhooks.ts';
import type { WebhookDelivery } from '@cobro/contracts/webhook-requests.ts';
import { testAuthority, type TestAuthority } from '@cobro/testing/test-authority.ts';
import { until } from '@cobro/testing/until.ts';
import type { Disturbed } from './disturbances.ts';

/** A public address. Nothing is sent there, because the proxy answers in its place. */
const RECEIVER = '11.22.33.44';
const AUTHORITY = 'receiver-authority';

/**
 * webhooks does not reach the platform's proxy until `extraEgress` allows it; then an event is delivered through it, signed. @param here
 * this machine's address, as pods reach it
 */
export async function webhooksThroughProxy({ scene, installed, report }: Disturbed, here: string): Promise<void> {
  const { namespace, merchant } = scene;
  const authority = testAuthority([RECEIVER]);
  const proxy = await startProxy(here, authority);
  const set = {
    secretsRevision: 'two',
    'bank.authority.existingConfigMap': AUTHORITY,
    'services.webhooks.env.EGRESS_PROXY': proxy.url,
  };
  try {
    const data = { 'ca.crt': authority.certificate };
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: AUTHORITY }, data };
    await namespace.apply(JSON.stringify(configMap));
    await installed.upgrade(set);
    await namespace.settled();
    const endpoint = { url: `https://${RECEIVER}/`, types: ['payment.confirmed'] };
    const made = await merchant.send<{ id: string; secret: string }>('POST', '/webhook-endpoint', { body: endpoint });
    if (made.status !== 201) throw new Error(`the endpoint was answered with ${made.status}`);
    const { id, secret } = made.body;
    const card = await merchant.saveCard();
    await merchant.charge(card);
    await until('a delivery has failed', async () => {
      const path = `/webhook-endpoint/${id}/delivery`;
      const { body } = await merchant.send<{ data: WebhookDelivery[] }>('GET', path);
      return body.data.some(({ attempts }) => attempts > 0);
    });
    if (proxy.asked() > 0) throw new Error('webhooks reached the proxy, which no policy allows');
    report('webhooks by the default policy: it does not reach a proxy inside, and tries again later');

    const extraEgress = [
      { to: [{ ipBlock: { cidr: `${here}/32` } }], ports: [{ port: Number(new URL(proxy.url).port) }] },
    ];
    await installed.upgrade({ ...set, 'networkPolicy.extraEgress': extraEgress });
    await namespace.settled();
    const charged = await merchant.charge(card);
    await until('the event is delivered', async () => proxy.received(secret).includes(charged.body.id));
    await merchant.send('DELETE', `/webhook-endpoint/${id}`);
    report('the proxy allowed by extraEgress: an event is delivered through it, signed');
  } finally {
    proxy.close();
    authority.remove();
  }
  await installed.upgrade({ secretsRevision: 'two' });
  await namespace.settled();
}

/** A proxy for CONNECT that is also the receiver. */
async function startProxy(here: string, authority: TestAuthority) {
  let asked = 0;
  const came: { body: string; headers: Record<string, string> }[] = [];
  const receiver = createTlsServer(authority.issue(), (req, res) => {
    const take = async () => {
      came.push({ body: await text(req), headers: req.headers as Record<string, string> });
      res.end();
    };
    take().catch(() => res.destroy());
  });
  const sockets = new Set<Socket>();
  const server = createServer((_req, res) => void res.writeHead(405).end());
  server.on('connect', (req, socket: Socket) => {
    asked++;
    sockets.add(socket);
    socket.on('error', () => {});
    if (req.url !== `${RECEIVER}:443`) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    receiver.emit('connection', socket);
  });
  await new Promise<void>((listening) => server.listen(0, here, listening));
  return {
    url: `http://${here}:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    /** Ids of the payments whose events came with a valid signature. */
    received: (secret: string) =>
      came.flatMap(({ body, headers }) => {
        try {
          return [(webhooks.verify(body, headers, secret).data as { id: string }).id];
        } catch (error) {
          if (error instanceof WebhookVerificationError) return [];
          throw error;
        }
      }),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
