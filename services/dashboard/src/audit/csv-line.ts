/** A text that a spreadsheet would take for a formula gets an apostrophe, so that it stays a text. */
const defused = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** One line of a CSV file, each cell in quotes. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map((cell) => `"${defused(String(cell ?? '')).replaceAll('"', '""')}"`).join(',')}\r\n`;
