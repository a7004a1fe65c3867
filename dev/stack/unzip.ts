import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = Buffer.from('PK\x05\x06', 'latin1');
const DEFLATED = 8;

/** The files in a zip archive whose names fit, by name. Node unpacks no archives by itself. */
export function unzip(archive: Buffer, wanted: RegExp): Map<string, Buffer> {
  const end = archive.lastIndexOf(END_OF_DIRECTORY);
  if (end < 0) throw new Error('this is no zip archive');
  const count = archive.readUInt16LE(end + 10);
  const files = new Map<string, Buffer>();
  for (let n = 0, at = archive.readUInt32LE(end + 16); n < count; n++) {
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    if (wanted.test(name)) files.set(name, contentAt(archive, at));
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}

/** The content of the file whose entry in the archive's directory is at `entry`. */
function contentAt(archive: Buffer, entry: number): Buffer {
  const method = archive.readUInt16LE(entry + 10);
  const size = archive.readUInt32LE(entry + 20);
  const header = archive.readUInt32LE(entry + 42);
  const from = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const packed = archive.subarray(from, from + size);
  return method === DEFLATED ? inflateRawSync(packed) : packed;
}
