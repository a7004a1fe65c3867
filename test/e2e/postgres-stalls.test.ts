import { describe } from '@jest/globals';
import { postgresStalls } from './postgres-stalls.story.ts';
import { stackUnderTest } from './stack-under-test.ts';

/** On a Postgres of its own, because its processes are stopped. */
const tested = stackUnderTest({ ownPostgres: true, telemetry: false });

describe('a Postgres that stalls', () => {
  postgresStalls(tested);
});
