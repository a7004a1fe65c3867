import { sentenceRules } from './sentence-rules.ts';

export interface WrongSentence {
  /** From 1. */
  line: number;
  words: string;
  instead: string;
}

/** What the rules find in the prose of a file: of a page all but code, of a program its comments. */
export function wrongSentences(file: string, text: string): WrongSentence[] {
  const lines = text.split('\n');
  const prose = (file.endsWith('.md') ? pageLines(lines) : lines.map(commentOf)).join('\n');
  return sentenceRules
    .flatMap(({ pattern, instead }) => {
      const overLines = new RegExp(pattern.source.replaceAll(' ', String.raw`\s+`), pattern.flags);
      return [...prose.matchAll(overLines)].map(({ 0: words, index }) => ({
        line: prose.slice(0, index).split('\n').length,
        words: words.trim().replaceAll(/\s+/g, ' '),
        instead,
      }));
    })
    .toSorted((a, b) => a.line - b.line);
}

/** Without blocks of code, words in `code`, and *words that are only named*, which keep their length. */
function pageLines(lines: string[]): string[] {
  let isCode = false;
  return lines.map((line) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    return isFence || isCode ? '' : line.replaceAll(/`[^`]*`|(?<!\*)\*[^*]+\*(?!\*)/g, '-');
  });
}

/** The words of a comment that begins the line or ends it, also of one in SQL; nothing where there is only code. */
function commentOf(line: string): string {
  const comment = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/|--)(.*)$/.exec(line) ?? /\s\/\/ (.*)$/.exec(line);
  const inSql = /^\s*comment on .* is '(.*)'/.exec(line);
  return (comment ?? inSql)?.[1]?.replaceAll(/`[^`]*`/g, '-') ?? '';
}
