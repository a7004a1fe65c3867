/** An operator's command cannot be carried out. The message is for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** It is not known where to carry out the command. */
export class UnknownWhereError extends OperatorError {}
