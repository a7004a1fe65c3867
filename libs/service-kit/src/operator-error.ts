/** An operator's command that cannot be done; its message is for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
