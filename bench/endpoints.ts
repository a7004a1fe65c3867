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
