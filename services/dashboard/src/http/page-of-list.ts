/** The page of a list that the address names; the first where it names none. */
export const pageIn = (query: URLSearchParams): number =>
  Number(/^[1-9]\d{0,5}$/.exec(query.get('page') ?? '')?.[0] ?? '1');
