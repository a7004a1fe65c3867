/** `node /app/lines.js < STACK`: prints a stack of this image's program with the lines of the sources. */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { text } from 'node:stream/consumers';

const maps = new Map<string, SourceMap | undefined>();

/** Undefined if a file was not packed, or is not in this image. */
function readMap(file: string): SourceMap | undefined {
  const map = new URL(`${file}.map`);
  if (!existsSync(map)) return undefined;
  return new SourceMap(JSON.parse(readFileSync(map, 'utf8')) as SourceMap['payload']);
}

const stack = await text(process.stdin);
process.stdout.write(
  stack.replaceAll(/(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g, (frame, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    const origin = maps.get(file)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !('fileName' in origin)) return frame;
    return `${origin.fileName.replace(/^(?:\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  }),
);
