import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Lets a test's server listen on this port of 127.0.0.1, or on a free one. `close` also breaks off open HTTP connections. */
export async function listening(
  server: Server,
  givenPort = 0,
): Promise<{ port: number; url: string; close(): Promise<void> }> {
  await once(server.listen(givenPort, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections();
      await closed;
    },
  };
}
