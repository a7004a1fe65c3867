/** A percentage as people type it, "4.5" or "4.5 %"; empty is 0. Undefined if it is none, or above `most`. */
export function percentIn(text: string, most: number): number | undefined {
  const plain = text.endsWith('%') ? text.slice(0, -1).trimEnd() : text;
  if (plain === '') return 0;
  const isPercent = /^\d{1,3}(?:\.\d{1,2})?$/.test(plain) && Number(plain) <= most;
  return isPercent ? Number(plain) : undefined;
}
