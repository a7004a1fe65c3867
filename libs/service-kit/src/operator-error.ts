import type { Output } from './admin-command.ts';

/** An operator's command cannot be carried out. The message is for the operator, and so is what the command found out, if anything. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly output: Output | undefined;
  constructor(message: string, { output }: { output?: Output } = {}) {
    super(message);
    this.output = output;
  }
}
