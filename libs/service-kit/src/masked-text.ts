/** Twelve digits or more, however they are written in groups. They may be a card number that somebody put there by mistake. */
const LONG_DIGITS = /\d(?:[^\da-z]*\d){11,}/gi;
/** Words of this length are keys and tokens. */
const LONG_WORDS = /\w{24,}/g;

export const masked = (text: string): string =>
  text.replaceAll(LONG_DIGITS, '[digits]').replaceAll(LONG_WORDS, '[token]');
