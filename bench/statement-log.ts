/** One statement as Postgres logged it. */
export interface LoggedStatement {
  /** The session's process. */
  session: string;
  /** The role that sent it. */
  user: string;
  text: string;
  /** The parameters as text; null is SQL's null. */
  values: (string | null)[];
}

/** Postgres' `log_line_prefix`: the session's process and the role, by which statements are put together. */
export const LOG_LINE_PREFIX = '@%p %u ';

/**
 * The statements in a log written with this prefix and `log_statement = 'all'`. Those without parameters (`begin`) are logged with
 * "statement", the others with "execute" and then a line with their values.
 */
export function statementsIn(log: string): LoggedStatement[] {
  const statements: LoggedStatement[] = [];
  for (const message of log.split(/^(?=@\d+ )/m)) {
    const [, session = '', user = '', kind, rest = ''] =
      /^@(\d+) (\S*) (LOG|DETAIL): {2}([^]*?)\n?$/.exec(message) ?? [];
    // A continued line begins with a tab, which is not the statement's own.
    const content = rest.replaceAll('\n\t', '\n');
    const said = /^(?:statement|execute [^]*?): ([^]*)$/.exec(content);
    if (kind === 'LOG' && said !== null) statements.push({ session, user, text: said[1] ?? '', values: [] });
    const last = kind === 'DETAIL' ? statements.findLast((statement) => statement.session === session) : undefined;
    if (last !== undefined && content.startsWith('parameters: ')) last.values = valuesIn(content);
  }
  return statements;
}

/** The values in `parameters: $1 = 'it''s', $2 = NULL`. */
function valuesIn(detail: string): (string | null)[] {
  return [...detail.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)].map(
    ([, text]) => text?.replaceAll("''", "'") ?? null,
  );
}
