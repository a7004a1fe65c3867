export interface GuideScript {
  /** For bash: what a reader types, and the files that the guide lets them save. */
  script: string;
  /** The lines that the guide says are printed, in order. */
  prints: string[];
}

/**
 * A guide's steps: `sh` blocks are typed, `js` blocks are saved to the file named in their first line. A comment after `console.log` is
 * what it prints. Blocks without a language are only shown.
 */
export function guideScript(page: string): GuideScript {
  const blocks = [...page.matchAll(/^```(sh|js)\n(.*?)^```$/gms)].map(([, language, text = '']) => ({
    language,
    text,
  }));
  const script = blocks.map(({ language, text }) => (language === 'sh' ? text : saved(text))).join('\n');
  const prints = [...page.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line = '']) => line);
  return { script, prints };
}

function saved(program: string): string {
  const [, file] = /^\/\/ (\S+\.mjs)\n/.exec(program) ?? [];
  if (file === undefined) throw new Error(`a program that is saved to no file:\n${program}`);
  return `cat > ${file} <<'END_OF_PROGRAM'\n${program}END_OF_PROGRAM`;
}
