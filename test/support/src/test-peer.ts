import { createServer, type RequestListener } from 'node:http';
import { openServiceClient, type ServiceClient } from '@cobro/service-kit/service-client.ts';
import { listening } from './listening.ts';

/** A server in place of payments that answers as the test says, and the client with which holds calls it. */
export async function testPeer(answer: RequestListener): Promise<{ client: ServiceClient; stop(): Promise<void> }> {
  const { url: baseUrl, close } = await listening(createServer(answer));
  const client = openServiceClient({
    baseUrl,
    service: 'holds',
    to: 'payments',
    sign: async (caller) => JSON.stringify(caller),
  });
  return { client, stop: close };
}
