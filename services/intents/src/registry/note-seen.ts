import type { Deps } from '../deps.ts';
import { writeSeen } from './terminal.store.ts';

/** Notes that the terminal is switched on. The terminal's request neither waits for this nor fails with it. */
export const noteSeen = (deps: Pick<Deps, 'db'>, terminalId: string): void =>
  void writeSeen(deps.db, terminalId).catch(() => {});
