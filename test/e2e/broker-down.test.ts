import { describe } from '@jest/globals';
import { brokerDown } from './broker-down.story.ts';
import { stackUnderTest } from './stack-under-test.ts';

/** On a broker of its own, because it is killed. */
const tested = stackUnderTest({ ownBroker: true, telemetry: false });

describe('without a broker', () => {
  brokerDown(tested);
});
