import { withClient } from '@cobro/postgres/with-client.ts';

export interface PostgresSettings {
  /** False if a power cut may cost the data (tests). Commits then do not wait for the disk. */
  durable: boolean;
}

/** Text is sorted by code points. Upper and lower case work for all letters; a Mac has no C.UTF-8 for that. */
export function postgresEncoding(system: NodeJS.Platform): string[] {
  return ['--encoding=UTF8', '--locale=C', `--lc-ctype=${system === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`];
}

/** The settings of every Postgres of ours, however it is started. */
export function postgresArguments({ durable }: PostgresSettings, ...more: string[]): string[] {
  const settings = [
    'max_connections=300',
    'shared_buffers=128MB',
    // While millions of rows are seeded, two connections fill the 4 MB of log that would be kept in memory faster than it is written.
    'wal_buffers=64MB',
    // A checkpoint each gigabyte would write the same pages of indexes again and again, and each page whole into the log after it.
    'max_wal_size=4GB',
    // Keeps when each change was committed; the bench computes the lag of events from that.
    'track_commit_timestamp=on',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
    ...more,
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}

export const postgresAnswers = (url: string): Promise<boolean> =>
  withClient({ connectionString: url, connectionTimeoutMillis: 2_000 }, async () => true).catch(() => false);
