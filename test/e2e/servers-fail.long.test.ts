import { inFull } from '@cobro/testing/in-full.ts';
import { describeInFull } from '@cobro/testing/test-in-full.ts';
import { describe } from '@jest/globals';
import { brokerDown } from './broker-down.story.ts';
import { dashboardHangs } from './dashboard-hangs.story.ts';
import { dashboardOutages } from './dashboard-outages.story.ts';
import { postgresDies } from './postgres-dies.story.ts';
import { postgresStalls } from './postgres-stalls.story.ts';
import { stackUnderTest } from './stack-under-test.ts';

/** Has its own broker, because that is killed, and in test:all its own Postgres, because its processes are halted. */
const tested = stackUnderTest({ ownBroker: true, ownPostgres: inFull, telemetry: false });

describe('without a broker', () => {
  brokerDown(tested);
});

describeInFull('the dashboard while a part is away', () => {
  dashboardOutages(tested);
});

describeInFull('the dashboard while a service hangs', () => {
  dashboardHangs(tested);
});

describeInFull('a Postgres that stalls', () => {
  postgresStalls(tested);
});

describeInFull('a Postgres that is killed', () => {
  postgresDies(tested);
});
