type Line = (fields: Record<string, unknown>, message: string) => void;

/** The part of a pino logger that this library uses. */
export interface Log {
  info: Line;
  warn: Line;
  error: Line;
}
