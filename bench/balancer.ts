import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Run } from '../dev/stack/run.ts';

export type Balancer = Awaited<ReturnType<typeof openBalancer>>;

/** Stands in front of the replicas of a service, as a load balancer would, until the run stops. */
export async function openBalancer(run: Run, port: number) {
  let targets: URL[] = [];
  let turn = 0;
  const sockets = new Set<Socket>();
  /** Takes the next target if one refuses. */
  const reach = (client: Socket, tries = targets.length) => {
    const target = targets[turn++ % targets.length];
    if (target === undefined || tries === 0 || client.destroyed) return void client.destroy();
    const upstream = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    const refused = () => reach(client, tries - 1);
    upstream.once('error', refused).once('connect', () => {
      upstream.off('error', refused);
      if (client.destroyed) return void upstream.destroy();
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.once('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
  };
  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => {});
    reach(client);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  run.onStop(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    /** From now on each connection goes to the next of these addresses. Without any, connections are closed. */
    spreadOver: (urls: string[]): void => {
      targets = urls.map((url) => new URL(url));
    },
  };
}
