export interface GuideScript {
  /** For bash: what a reader types, and saves to the files that the guide names. */
  script: string;
  /** The lines that the guide says are printed, in their order. */
  prints: string[];
}

/**
 * What a guide has its reader do: blocks of `sh` are typed, blocks of `js` are saved to the file that their first line names. A comment
 * behind `console.log` is what it prints. Blocks of no language are shown only.
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
