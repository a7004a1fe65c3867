/** Longer than a process needs to renew it. After a crash another process goes on when it ends. */
export const LEASE_MS = 45_000;
