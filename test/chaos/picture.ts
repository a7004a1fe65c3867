import { isRefused } from '../sick/felt.ts';
import type { Ended } from './client.ts';
import type { Inflicted } from './inflict.ts';

const WIDTH = 1_000;
const [LEFT, RIGHT, TOP, PLOT, ROW] = [50, 10, 30, 180, 13];

/** A fault is felt no more after this long without a refusal. */
const CALM_SECONDS = 3;

/** Seconds from the beginning of a fault to the last refused request of its time; 0 if none was refused. */
export function feltFor({ began, ended }: Inflicted, all: readonly Ended[]): number {
  let last = began;
  for (const { at } of all.filter(isRefused).toSorted((a, b) => a.at - b.at)) {
    if (at < began) continue;
    if (at > Math.max(ended, last) + CALM_SECONDS) break;
    last = at;
  }
  return last - began;
}

/** Requests a second, refused requests, and the faults, as SVG. */
export function drawRun(title: string, all: readonly Ended[], faults: readonly Inflicted[]): string {
  const begun = all.reduce((first, { at }) => Math.min(first, at), Infinity);
  const seconds = Math.ceil(all.reduce((last, { at }) => Math.max(last, at), begun) - begun) + 1;
  const perSecond = (of: (one: Ended) => boolean) => {
    const counts = Array.from({ length: seconds }, () => 0);
    for (const one of all) if (of(one)) counts[Math.floor(one.at - begun)]!++;
    return counts;
  };
  const [sent, refused] = [perSecond(() => true), perSecond(isRefused)];
  const most = Math.max(...sent);
  const x = (second: number) => LEFT + (second / seconds) * (WIDTH - LEFT - RIGHT);
  const y = (count: number) => TOP + PLOT - (count / most) * PLOT;
  const line = (counts: number[], colour: string) =>
    `<polyline fill="none" stroke="${colour}" points="${counts.map((count, n) => `${x(n).toFixed(1)},${y(count).toFixed(1)}`).join(' ')}"/>`;
  const bars = faults.map((fault, n) => {
    const [from, to] = [x(fault.began - begun), x(fault.ended - begun)];
    const row = TOP + PLOT + 34 + n * ROW;
    const felt = x(fault.began - begun + feltFor(fault, all)) - from;
    const name = `${fault.fault}${fault.target ? ` (${fault.target.service} ${fault.target.replica + 1})` : ''}`;
    const isRight = from > WIDTH / 2;
    return (
      `<rect x="${from.toFixed(1)}" y="${TOP}" width="${Math.max(1, to - from).toFixed(1)}" height="${PLOT}" fill="#888" opacity="0.15"/>` +
      `<rect x="${from.toFixed(1)}" y="${row - 8}" width="${Math.max(2, to - from).toFixed(1)}" height="4" fill="#555"/>` +
      `<rect x="${from.toFixed(1)}" y="${row - 4}" width="${felt.toFixed(1)}" height="4" fill="#c22"/>` +
      `<text x="${(isRight ? from - 4 : Math.max(to, from + felt) + 4).toFixed(1)}" y="${row}" text-anchor="${isRight ? 'end' : 'start'}">${name}</text>`
    );
  });
  const height = TOP + PLOT + 40 + faults.length * ROW;
  const marks = Array.from({ length: Math.floor(seconds / 60) + 1 }, (_, minute) => {
    return `<text x="${x(minute * 60).toFixed(1)}" y="${TOP + PLOT + 14}" text-anchor="middle">${minute} min</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="10">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${LEFT}" y="18" font-size="13">${title}: requests a second (blue), refused or cut (red); below: faults, and how long each was felt</text>`,
    `<text x="${LEFT - 6}" y="${TOP + 8}" text-anchor="end">${most}</text><text x="${LEFT - 6}" y="${TOP + PLOT}" text-anchor="end">0</text>`,
    ...marks,
    ...bars,
    line(sent, '#27c'),
    line(refused, '#c22'),
    '</svg>',
    '',
  ].join('\n');
}
