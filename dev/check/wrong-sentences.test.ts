import { describe, expect, test } from '@jest/globals';
import { wrongSentences } from './wrong-sentences.ts';

const found = (file: string, text: string) => wrongSentences(file, text).map(({ line, words }) => [line, words]);

describe('the check of sentences', () => {
  test('finds what a page says, also where it goes on in the next line', () => {
    const page = 'A queue\ntakes so\nmany events, of which none\nis told. Is refused.';
    expect(found('docs/page.md', page)).toEqual([
      [2, 'so many'],
      [3, 'of which'],
      [4, 'told'],
      [4, 'Is'],
    ]);
  });

  test('leaves alone code, words that are only named, questions and what people are told', () => {
    const page = '```\ntold\n```\n`told`, *told*. Is it told by none?\nTell merchants to wait, and tell the merchant.';
    expect(found('docs/page.md', page)).toEqual([[4, 'told']]);
  });

  test('finds a merge that nobody ended', () => {
    expect(found('docs/page.md', 'One\n<<<<<<< HEAD\nTwo\n>>>>>>> main')).toEqual([
      [2, '<<<<<<<'],
      [4, '>>>>>>>'],
    ]);
  });

  test('reads the comments of programs and of SQL, and no code', () => {
    const program = [
      "const told = 'of which';",
      '/** Of the payments that of the day. */',
      ' * so few',
      'send(); // Tells it',
      "comment on table a is 'What was told.';",
      '-- of whom',
    ];
    expect(found('libs/a.ts', program.join('\n'))).toEqual([
      [2, 'that of'],
      [3, 'so few'],
      [4, 'Tells'],
      [5, 'told'],
      [6, 'of whom'],
    ]);
  });
});
