const [WIDTH, PANEL, ROW, TOP] = [1_000, 330, 70, 30];
const ACROSS = Math.floor(WIDTH / PANEL);

/** A small chart of each measure over the time of the run, from 0 to its maximum, as SVG. `every`: seconds between two samples. */
export function drawSamples(samples: readonly Readonly<Record<string, number>>[], every: number): string {
  const names = Object.keys(samples[0] ?? {});
  const panels = names.map((name, n) => {
    const held = samples.map((sample) => sample[name] ?? 0);
    const most = Math.max(1, ...held);
    const [left, top] = [10 + (n % ACROSS) * PANEL, TOP + Math.floor(n / ACROSS) * ROW];
    const [width, height] = [PANEL - 20, ROW - 24];
    const points = held.map((count, at) => {
      const [x, y] = [at / Math.max(1, held.length - 1), 1 - count / most];
      return `${(left + x * width).toFixed(1)},${(top + 14 + y * height).toFixed(1)}`;
    });
    const between = `${Math.min(...held).toFixed(0)} to ${Math.max(...held).toFixed(0)}`;
    return (
      `<text x="${left}" y="${top + 8}">${name}: ${between}, last ${held.at(-1)?.toFixed(0)}</text>` +
      `<rect x="${left}" y="${top + 14}" width="${width}" height="${height}" fill="#f4f4f4"/>` +
      `<polyline fill="none" stroke="#27c" points="${points.join(' ')}"/>`
    );
  });
  const height = TOP + Math.ceil(names.length / ACROSS) * ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="10">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="10" y="18" font-size="13">${((samples.length * every) / 60).toFixed(0)} minutes, from 0 to the most of each</text>`,
    ...panels,
    '</svg>',
    '',
  ].join('\n');
}
