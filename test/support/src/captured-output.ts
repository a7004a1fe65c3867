import { Writable } from 'node:stream';

/** The two outputs of a command that runs in the process of its test, and what has been written to each. */
export function capturedOutput() {
  const printed = { out: '', err: '' };
  const into = (name: keyof typeof printed) =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        printed[name] += chunk.toString();
        done();
      },
    });
  return { stdout: into('out'), stderr: into('err'), printed };
}
