import TestSequencer from '@jest/test-sequencer';

/**
 * Begins with the tests of the whole. They take the longest and wait the most, so that at the end no worker waits for the other.
 * Without a cache of times, as in a fresh clone, jest begins with the largest files, and those of the stories are small.
 */
export default class WholeFirst extends TestSequencer {
  sort(tests) {
    const isOfWhole = ({ path }) => /[\\/]test[\\/](crash|e2e|browser|model)[\\/]/.test(path);
    // oxlint-disable-next-line unicorn/no-array-sort -- jest's own, which returns a new array
    const sorted = super.sort(tests);
    return [...sorted.filter(isOfWhole), ...sorted.filter((test) => !isOfWhole(test))];
  }
}
