import { createClient } from '@cobro/client/client.ts';
import { outwardTypes } from '@cobro/contracts/outward-events.ts';
import { Webhook } from 'standardwebhooks';
import { freePort } from '@cobro/testing/free-port.ts';
import { openSmallServer, type SmallAnswer, type SmallRequest } from './small-http-server.ts';
import type { Stack } from './stack.ts';

const KEPT = 100;

/** A merchant's own server, which registers itself as an endpoint of the first merchant. Its address shows what came, newest first. */
export async function openWebhookReceiver({ baseUrl, merchants: { apiKey } }: Stack) {
  const came: unknown[] = [];
  let webhook: Webhook | undefined;
  const take = ({ headers, body }: SmallRequest): SmallAnswer => {
    if (webhook === undefined) return { status: 503, body: { message: 'The secret is not known yet.' } };
    try {
      came.unshift(webhook.verify(body, headers));
      came.splice(KEPT);
      return { status: 200, body: {} };
    } catch {
      return { status: 400, body: { message: 'The signature is not right.' } };
    }
  };
  const answer = (request: SmallRequest): SmallAnswer =>
    request.method === 'POST' ? take(request) : { status: 200, body: came };
  const { url: receiverUrl, close } = await openSmallServer(await freePort(), answer);
  const endpoint = { url: receiverUrl, types: outwardTypes, description: 'The receiver of npm start' };
  webhook = new Webhook((await createClient({ baseUrl, apiKey }).webhookEndpoints.create(endpoint)).secret);
  return { receiverUrl, close };
}
