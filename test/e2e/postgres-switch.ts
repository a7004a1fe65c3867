import { proxyTo } from '@cobro/testing/tcp-proxy.ts';
import type { Servers } from '../../dev/stack/servers/server.ts';

/** Freezes Postgres with its connections open, and lets it go on. */
export interface PostgresSwitch {
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/**
 * Servers for a stack that starts its own Postgres, whose processes can be halted. If an address names a Postgres, a proxy holds every
 * byte back instead, because it is not ours to halt.
 */
export async function serversWithPausablePostgres({ postgres, ...others }: Partial<Servers>): Promise<{
  running: Partial<Servers>;
  postgresOf(servers: Servers): PostgresSwitch;
  close?: () => Promise<void>;
}> {
  if (!process.env['DATABASE_URL'] || postgres === undefined) {
    return { running: others, postgresOf: (servers) => servers.postgres };
  }
  const proxy = await proxyTo(postgres.url);
  await proxy.restore();
  return {
    running: { ...others, postgres: { ...postgres, url: proxy.url } },
    postgresOf: () => ({ pause: async () => proxy.hang(), resume: async () => proxy.resume() }),
    close: proxy.cut,
  };
}
