import type { Deps } from '../deps.ts';
import { writeSeen } from './terminal.store.ts';

/** Notes that the terminal is switched on. Nothing waits for it, and nothing that fails here fails the terminal's request. */
export const noteSeen = (deps: Pick<Deps, 'db'>, terminalId: string): void =>
  void writeSeen(deps.db, terminalId).catch(() => {});
