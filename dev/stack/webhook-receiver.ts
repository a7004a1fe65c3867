import { outwardTypes } from '@cobro/contracts/outward-events.ts';
import { Webhook } from 'standardwebhooks';
import { freePort } from '@cobro/testing/free-port.ts';
import { openSmallServer, type SmallAnswer, type SmallRequest } from './small-http-server.ts';
import type { Stack } from './stack.ts';

const KEPT = 100;
const families = [...new Set(outwardTypes.map((type) => type.replace(/\.\w+$/, '.*')))];

/** A merchant's own server, which registers itself as an endpoint of the first merchant. Its address shows what came, newest first. */
export async function openWebhookReceiver(stack: Stack) {
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
  webhook = new Webhook(await register(stack, receiverUrl));
  return { receiverUrl, close };
}

/** Registers the endpoint, and returns its secret. */
async function register({ baseUrl, merchants }: Stack, url: string): Promise<string> {
  const response = await fetch(`${baseUrl}/webhook-endpoint`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': merchants.apiKey },
    body: JSON.stringify({ url, types: families, description: 'The receiver of npm start' }),
  });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`POST /webhook-endpoint answered ${response.status}: ${answer}`);
  return (JSON.parse(answer) as { secret: string }).secret;
}
