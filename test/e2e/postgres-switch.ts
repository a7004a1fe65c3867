import { proxyTo } from '@cobro/testing/tcp-proxy.ts';
import type { Servers } from '../../dev/stack/servers/server.ts';

/** Postgres as the services see it: at work, or frozen with its connections open. */
export interface PostgresSwitch {
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/**
 * Servers for a stack that starts a Postgres of its own, whose processes are stopped. One that an address names is not ours to
 * stop: there a proxy keeps back every byte.
 */
export async function serversWithPausablePostgres({ postgres, ...others }: Partial<Servers>): Promise<{
  running: Partial<Servers>;
  postgresOf(servers: Servers): PostgresSwitch;
}> {
  if (!process.env['DATABASE_URL'] || postgres === undefined) {
    return { running: others, postgresOf: (servers) => servers.postgres };
  }
  const proxy = await proxyTo(postgres.url);
  await proxy.restore();
  return {
    running: { ...others, postgres: { ...postgres, url: proxy.url } },
    postgresOf: () => ({ pause: async () => proxy.hang(), resume: async () => proxy.resume() }),
  };
}
