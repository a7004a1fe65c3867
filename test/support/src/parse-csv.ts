/** The cells of each line of a CSV file, as RFC 4180 has it. */
export function parseCsv(text: string): string[][] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)];
  const lines: string[][] = [[]];
  for (const [whole, quoted, plain = '', end] of cells) {
    if (whole === '') break;
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') lines.push([]);
  }
  return lines.filter((line) => line.length > 0);
}
