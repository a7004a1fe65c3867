import type { ProcessName } from '../../dev/stack/stack-processes.ts';
import type { ServerName } from '../../dev/stack/servers/server.ts';
import type { Stack } from '../../dev/stack/stack.ts';

/** Makes something sick; resolves with a function that makes it well again. */
type Begin<S> = (sick: S) => Promise<() => Promise<void>>;
type OfStack<Part extends keyof Stack> = Begin<{ stack: Pick<Stack, Part> }>;

/** A service or the bank is stopped. */
export const stopped =
  (name: ProcessName): OfStack<'processes'> =>
  async ({ stack: { processes } }) => {
    await processes.stop(name);
    return () => processes.start(name);
  };

/** A server hangs (SIGSTOP). */
export const halted =
  (name: ServerName): OfStack<'servers'> =>
  async ({ stack: { servers } }) => {
    await servers[name].pause();
    return () => servers[name].resume();
  };

/** A server dies like in a crash. */
export const crashed =
  (name: ServerName): OfStack<'servers'> =>
  async ({ stack: { servers } }) => {
    await servers[name].kill();
    return () => servers[name].start();
  };

/** Sets these faults at the bank: the body of its `PUT /faults`. */
export const bankWith =
  (faults: object): Begin<{ setBankFaults: (faults: object) => Promise<void> }> =>
  async ({ setBankFaults }) => {
    await setBankFaults(faults);
    return () => setBankFaults({});
  };

/** Every kind of request to a bank, inquiries included. */
export const BANK_KINDS = ['tokenize', 'authorize', 'sale', 'capture', 'void', 'refund', 'inquire'];
