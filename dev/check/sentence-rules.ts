export interface SentenceRule {
  pattern: RegExp;
  instead: string;
}

/** What a plain sentence does without, in comments and on pages (docs/glossary.md). A space in a pattern is also a line's end. */
export const sentenceRules: SentenceRule[] = [
  { pattern: /\bof (?:which|whom)\b/gi, instead: 'begin a new sentence, or write "whose" or "its"' },
  { pattern: /[,;:(] of what\b/gi, instead: 'name what it is' },
  { pattern: /\bso (?:many|few)\b|\bsome such\b/gi, instead: 'name the number' },
  { pattern: /\bthat of\b/gi, instead: 'repeat the noun' },
  { pattern: /\bthose of (?:which|whom|that|those)\b/gi, instead: 'repeat the noun' },
  {
    pattern: /\b(?:tells|told|telling)\b|\btell\b(?! (?:merchants|the (?:merchant|cashier|bank's support)))/gi,
    instead: 'data is sent, read, published or shown',
  },
  { pattern: /(?<=[.:;] )(?:Is|Are|Was|Were|Has|Have|Had) (?![^\n]*\?)/g, instead: 'name the subject' },
  { pattern: /^(?:<{7}|>{7})/gm, instead: 'end the merge' },
];

/** The owner's pages, which are copied as they are, what is written from code, and the test that quotes what is wrong. */
export const notOurs = [
  'dev/check/wrong-sentences.test.ts',
  'docs/generated/',
  'docs/interface.md',
  'docs/interface-decisions.md',
];
