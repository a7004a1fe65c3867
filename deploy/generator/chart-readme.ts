import { isMap, isScalar, parseDocument, type Node, type Pair } from 'yaml';
import { code, table } from '../../dev/docs/markdown.ts';

/** The part of README.md that is written anew lies between these two. */
const BEGIN = '<!-- values: written by npm run docs -- deploy -->';
const END = '<!-- end of values -->';

/** The page with a table of all values, from the comments in values.yaml. @throws where a value has no comment */
export function withValuesTable(readme: string, values: string): string {
  const [before, rest = ''] = readme.split(BEGIN);
  const [, after = ''] = rest.split(END);
  return `${before}${BEGIN}\n${table(['value', 'default', 'meaning'], rowsOf(values))}\n${END}${after}`;
}

function rowsOf(values: string): string[][] {
  const document = parseDocument(values);
  if (!isMap(document.contents)) throw new Error('values.yaml is no map');
  return document.contents.items.flatMap((pair) => rowsBelow(pair, '', ''));
}

function rowsBelow(pair: Pair, above: string, inherited: string): string[][] {
  const key = pair.key as Node & { value: string; commentBefore?: string };
  const name = `${above}${key.value}`;
  const value = pair.value as Node & { commentBefore?: string };
  const comment = (key.commentBefore ?? inherited).split('\n').at(-1)?.trim() ?? '';
  // A comment above the first key of a block belongs, for the parser, to the block. Without one the block is one value.
  const first = value.commentBefore ?? '';
  if (isMap(value) && first !== '') {
    return value.items.flatMap((below, i) => rowsBelow(below, `${name}.`, i === 0 ? first : ''));
  }
  if (comment === '') throw new Error(`values.yaml says nothing about ${name}`);
  const shown = isScalar(value) ? JSON.stringify(value.value) : JSON.stringify(value.toJSON());
  return [[code(name), code(shown), comment]];
}
