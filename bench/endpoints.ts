import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { listening } from '@cobro/testing/listening.ts';

/** A server of merchants on this machine. `take` says whether a request is answered. */
export async function openReceiver(take: (path: string, event: { id: string; createdAt: string }) => boolean) {
  const read = async (req: IncomingMessage) => (await json(req)) as { id: string; createdAt: string };
  const server = createServer((req, res) => {
    void read(req).then((event) => take(req.url ?? '', event) && res.end());
  });
  return listening(server);
}

/** Has a merchant's events of these types sent to this address. */
export async function makeEndpoint(baseUrl: string, apiKey: string, body: { url: string; types: string[] }) {
  const response = await fetch(`${baseUrl}/webhook-endpoint`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`making an endpoint answered ${response.status}`);
  await response.body?.cancel();
}
