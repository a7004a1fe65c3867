import { holdsCardData } from '@cobro/contracts/card-data.ts';

/** Whether the API would take this text. */
export const isText = (text: string, most: number): boolean =>
  [...text].length <= most && !holdsCardData(text) && !text.includes('\0');

/** What was typed in these fields, to be shown again: never what looks like a card number. */
export const typedOf = (form: URLSearchParams, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = form.get(name);
      return value === null || holdsCardData(value) ? [] : [[name, value.slice(0, 500)] as const];
    }),
  );
