import { plain } from '@cobro/html/plain.ts';

const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' });

/** One or two capital letters or digits in place of a logo: "Café Tacuba" → "CT". A dot if the name has none. */
export function initialsOf(name: string): string {
  const words = plain(name)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word));
  // "La Casa de Toño" is LC, not LCDT; a name of small words only keeps them.
  const meaningful = words.filter((word) => !/^(?:de|del|el|los|las|y|e|the|of|and)$/i.test(word));
  const firsts = (meaningful.length > 0 ? meaningful : words).slice(0, 2).map((word) => firstOf(word).toUpperCase());
  return firsts.join('') || '·';
}

function firstOf(word: string): string {
  for (const { segment } of graphemes.segment(word)) return segment;
  return '';
}
