import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openServiceClient, type ServiceClient } from '@cobro/service-kit/service-client.ts';

/** A server that answers as the test says, in the place of payments, and the client with which holds asks it. */
export async function testPeer(answer: RequestListener): Promise<{ client: ServiceClient; stop(): Promise<void> }> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openServiceClient({
    baseUrl,
    service: 'holds',
    to: 'payments',
    sign: async (caller) => JSON.stringify(caller),
  });
  return {
    client,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
