/** `node /app/lines.js < STACK`: prints a stack of this image's program with the lines of the sources. */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { text } from 'node:stream/consumers';

const maps = new Map<string, SourceMap>();

function mapOf(file: string): SourceMap {
  const map =
    maps.get(file) ?? new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')) as SourceMap['payload']);
  maps.set(file, map);
  return map;
}

const stack = await text(process.stdin);
process.stdout.write(
  stack.replaceAll(/(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g, (frame, file: string, line: string, column: string) => {
    const origin = mapOf(file).findOrigin(Number(line), Number(column));
    if (!('fileName' in origin)) return frame;
    return `${origin.fileName.replace(/^(?:\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  }),
);
