import { sentenceRules } from './sentence-rules.ts';

export interface WrongSentence {
  /** From 1. */
  line: number;
  words: string;
  instead: string;
}

/** What the rules find in a file's prose: all but code on a page, the comments in a program. */
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

/** The lines without code blocks; `code` and *words that are only named* become a dash. */
function pageLines(lines: string[]): string[] {
  let isCode = false;
  return lines.map((line) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    return isFence || isCode ? '' : line.replaceAll(/`[^`]*`|(?<!\*)\*[^*]+\*(?!\*)/g, '-');
  });
}

/** The text of a comment that begins or ends the line, in SQL too; empty if the line is only code. */
function commentOf(line: string): string {
  const comment = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/|--)(.*)$/.exec(line) ?? /\s\/\/ (.*)$/.exec(line);
  const inSql = /^\s*comment on .* is '(.*)'/.exec(line);
  return (comment ?? inSql)?.[1]?.replaceAll(/`[^`]*`/g, '-') ?? '';
}
