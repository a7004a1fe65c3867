/** For tests that provoke warnings by the dozen. */
export const silentLog = { info: () => {}, warn: () => {}, error: () => {} };
