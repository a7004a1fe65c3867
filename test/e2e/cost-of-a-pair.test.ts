import { describeInFull } from '@cobro/testing/test-in-full.ts';
import { costOfAPair } from './cost-of-a-pair.story.ts';
import { stackUnderTest } from './stack-under-test.ts';

/** On its own Postgres, because the test reads its log. */
const tested = stackUnderTest({ ownPostgres: true, telemetry: false });

describeInFull('on a stack that does nothing else', () => {
  costOfAPair(tested);
});
