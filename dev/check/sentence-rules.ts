export interface SentenceRule {
  pattern: RegExp;
  instead: string;
}

/** Patterns that comments and pages must not contain (docs/glossary.md). A space in a pattern also matches a line's end. */
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

/** Not checked: the owner's pages, which are copied unchanged, generated pages, and the test that quotes wrong sentences. */
export const notOurs = [
  'dev/check/wrong-sentences.test.ts',
  'docs/generated/',
  'docs/interface.md',
  'docs/interface-decisions.md',
];
