/** Failures after which an account waits, from one network or one browser. */
export const FREE_FAILURES = 5;
const FIRST_WAIT_S = 60;
const LONGEST_WAIT_S = 3_600;
/** Failures that lie so long behind count no more. */
export const FORGET_AFTER_S = 86_400;
/** Failures of a network in an hour, of whatever accounts. */
export const MOST_OF_NETWORK = 100;
export const NETWORK_WINDOW_S = 3_600;

/** Seconds to wait after the failure of this number: a minute, doubling to an hour. */
export const waitAfter = (failures: number): number =>
  failures < FREE_FAILURES ? 0 : Math.min(FIRST_WAIT_S * 2 ** (failures - FREE_FAILURES), LONGEST_WAIT_S);
