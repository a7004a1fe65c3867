// A name must not turn the reading direction of the text around it, or hide a part of itself.
const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** A name or a description that is safe among our own words. */
export const plain = (text: string): string => text.replaceAll(DIRECTION_MARKS, '').toWellFormed().trim();
