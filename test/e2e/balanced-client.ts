import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, clientOf, type Send, sendTo } from './client.ts';

/**
 * A merchant behind a load balancer: one replica gets the requests until it closes the connection or refuses one; then the next one does.
 * A request is repeated only if the connection was refused, because then nothing was sent.
 */
export function balanced(urls: string[], apiKey: string): Client {
  const replicas = urls.map((url) => sendTo(`${url}/api`, apiKey));
  let current = 0;
  const leave = (replica: number) => {
    if (current === replica) current = (replica + 1) % replicas.length;
  };
  const send: Send = async (method, path, sent) => {
    for (;;) {
      const replica = current;
      try {
        const answer = await (replicas[replica] as Send)(method, path, sent);
        if (answer.headers.get('connection') === 'close') leave(replica);
        return answer as never;
      } catch (error) {
        if ((error as { cause?: { code?: string } }).cause?.code !== 'ECONNREFUSED') throw error;
        leave(replica);
        await sleep(20);
      }
    }
  };
  return clientOf(send);
}
