import { createClient } from 'redis';

export type RedisClient = ReturnType<typeof connectionTo>;

/** Runs `use` on a connection of its own, which gives up at the first failure. */
export async function withRedis<T>(url: string, use: (client: RedisClient) => Promise<T>): Promise<T> {
  const client = connectionTo(url);
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    if (client.isOpen) client.destroy();
  }
}

function connectionTo(url: string) {
  return createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 2_000 } });
}
