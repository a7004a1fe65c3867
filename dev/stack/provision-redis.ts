import type { Run } from './run.ts';
import { withRedis } from './servers/redis-client.ts';
import { type Server, hostAndPort } from './servers/server.ts';

/** Chooses the prefix of every key of this run. */
export function provisionRedis(run: Run, redis: Server): string {
  const prefix = redis.owner === 'this-run' ? 'cobro:' : `cobro-${run.id}:`;
  run.onServer(redis, { kind: 'redis-keys', server: hostAndPort(redis.url), prefix }, () =>
    dropKeys(redis.url, prefix),
  );
  return prefix;
}

export function dropKeys(url: string, prefix: string): Promise<void> {
  return withRedis(url, async (client) => {
    for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1_000 })) {
      if (keys.length > 0) await client.unlink(keys);
    }
  });
}
