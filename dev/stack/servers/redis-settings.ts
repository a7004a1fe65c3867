import { withRedis } from './redis-client.ts';

/** The configuration of every Redis of ours, however it is started. */
export function redisConfiguration(password: string, ...more: string[]): string {
  return [
    `requirepass ${password}`,
    // Redis holds rate limits only, and what a crash loses would be forgotten within a minute anyway.
    'save ""',
    'appendonly no',
    ...more,
    '',
  ].join('\n');
}

export function redisAnswers(url: string): Promise<boolean> {
  return withRedis(url, (client) => client.ping()).then(
    () => true,
    () => false,
  );
}
