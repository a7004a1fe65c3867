/** Failures from one network or browser after which an account is locked there. */
export const FREE_FAILURES = 5;
const FIRST_WAIT_S = 60;
const LONGEST_WAIT_S = 3_600;
/** After this long without a failure the count restarts. */
export const FORGET_AFTER_S = 86_400;
/** The most failures of a network in an hour, over all accounts. */
export const MOST_OF_NETWORK = 100;
export const NETWORK_WINDOW_S = 3_600;

/** Seconds to wait after the failure of this number: a minute, doubling to an hour. */
export const waitAfter = (failures: number): number =>
  failures < FREE_FAILURES ? 0 : Math.min(FIRST_WAIT_S * 2 ** (failures - FREE_FAILURES), LONGEST_WAIT_S);
