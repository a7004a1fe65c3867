import { isDeepStrictEqual } from 'node:util';

/** The fields that a PATCH sent and that differ from the row. Empty if there are none. */
export function changesOf<Row extends object, K extends keyof Row & string>(
  row: Row,
  sent: { readonly [F in K]?: Row[F] | undefined },
): Partial<Pick<Row, K>> {
  const names = Object.keys(sent) as K[];
  const changed = names.filter((name) => sent[name] !== undefined && !isDeepStrictEqual(sent[name], row[name]));
  return Object.fromEntries(changed.map((name) => [name, sent[name]])) as Partial<Pick<Row, K>>;
}
