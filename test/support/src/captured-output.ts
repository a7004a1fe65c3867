import { Writable } from 'node:stream';

/** The output streams for a command that runs in the test's own process, and what was written to each. */
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
