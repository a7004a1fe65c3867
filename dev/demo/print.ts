import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const paint = (style: Style, text: string) => styleText(style, text, { stream: process.stdout });

export const say = (line = '') => void process.stdout.write(`${line}\n`);
export const heading = (text: string) => say(`\n${paint('bold', text)}`);
export const good = (text: string) => paint('green', text);
export const bad = (text: string) => paint('red', text);
export const faint = (text: string) => paint('dim', text);

/** Prints one request: what was asked, its status, the fields of the answer that matter, and the time it took. */
export function printRequest(line: { request: string; status: number; shown: string; ms: number }): void {
  const status = line.status < 300 ? good(String(line.status)) : paint('yellow', String(line.status));
  say(`  ${line.request.padEnd(58)} ${status}  ${line.shown} ${faint(`${line.ms.toFixed(0)} ms`)}`);
}

/** Prints columns as wide as their widest cell, the first one aligned to the left, the others to the right. */
export function table(rows: string[][]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  rows.forEach((row, i) => {
    const cells = row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0)));
    const line = `  ${cells.join('   ')}`;
    say(i === 0 ? paint('bold', line) : line);
  });
}
