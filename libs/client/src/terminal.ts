import type { Routes } from './api.ts';
import { type CallOptions, createCaller, type Options } from './call.ts';

export interface TerminalOptions extends Options {
  /** `tk_…` */
  terminalKey: string;
}

/** What a terminal may do. */
export function createTerminal({ terminalKey, ...options }: TerminalOptions) {
  const call = createCaller(options, { 'x-terminal-key': terminalKey });
  return {
    /** The next intent; undefined if none came within `waitSeconds`. */
    next: (waitSeconds = 25, o?: CallOptions) => call('nextPaymentIntent', { query: { waitSeconds } }, o),
    ask: (id: string, o?: CallOptions) => call('askPaymentIntent', { params: { id } }, o),
    /** All requests of one tap carry the same `attemptId`, so that it is charged once. */
    pay: (id: string, body: Routes['payPaymentIntent']['body'], o?: CallOptions) =>
      call('payPaymentIntent', { params: { id }, body }, o),
    decline: (id: string, body: Routes['declinePaymentIntent']['body'] = {}, o?: CallOptions) =>
      call('declinePaymentIntent', { params: { id }, body }, o),
  };
}
