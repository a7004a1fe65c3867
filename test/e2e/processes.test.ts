import { describe } from '@jest/globals';
import { crashOfPayments } from './crash-payments.story.ts';
import { stackUnderTest } from './stack-under-test.ts';

/** Stories in which processes end. */
const tested = stackUnderTest();

describe('a crash of payments', () => {
  crashOfPayments(tested);
});
