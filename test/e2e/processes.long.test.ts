import { describe } from '@jest/globals';
import { drain, DRAIN_DELAY_MS } from './drain.story.ts';
import { stackUnderTest } from './stack-under-test.ts';

const drainDelay = { DRAIN_DELAY_MS: String(DRAIN_DELAY_MS) };

/** Stories in which processes end. The gateway needs no delay: merchants switch from a closing one to the other. */
const tested = stackUnderTest({
  replicas: { gateway: 2 },
  env: { payments: drainDelay, holds: drainDelay },
  telemetry: false,
});

describe('ending under load', () => {
  drain(tested);
});
