// A name must not turn the reading direction of the text around it, or hide a part of itself.
const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' });

/** A merchant's name or description as it may stand among our own words. */
export const plain = (text: string): string => text.replaceAll(DIRECTION_MARKS, '').toWellFormed().trim();

/** One or two capital letters or digits in place of a logo: "Café Tacuba" → "CT". A dot where the name has none. */
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
