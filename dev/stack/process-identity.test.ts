import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { identityOf } from './process-identity.ts';

// As on a Mac: an item with an equals sign takes all the rest of its -o for a heading, even text that looks like an item.
const BSD_PS = `#!/bin/sh
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then
    headings="$headings\${2#*=}"
    case \${2%%=*} in
      stat) row="$row S+  " ;;
      lstart) row="$row Fri Nov 20 17:30:09 2026" ;;
    esac
    shift
  fi
  shift
done
[ -z "$headings" ] || echo "$headings"
echo "$row"
`;

describe('the identity of a process, where there is no /proc', () => {
  const { PATH, TZ = '' } = process.env;
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cobro-ps-'));
  });
  afterEach(() => {
    process.env['PATH'] = PATH;
    process.env['TZ'] = TZ;
    rmSync(folder, { recursive: true });
  });

  test("is its start time as BSD's ps tells it", () => {
    writeFileSync(join(folder, 'ps'), BSD_PS, { mode: 0o755 });
    process.env['PATH'] = `${folder}:${PATH}`;
    expect(identityOf(77, 'darwin')).toEqual({ pid: 77, startTime: 'Fri Nov 20 17:30:09 2026' });
  });

  // A bare Debian has no ps.
  (spawnSync('ps').error === undefined ? describe : describe.skip)("with the system's own ps", () => {
    test('is the same in every time zone, and none for a process that has ended', () => {
      process.env['TZ'] = 'America/Mexico_City';
      const identity = identityOf(process.pid, 'darwin');
      expect(identity?.startTime).toMatch(/^\w{3} \w{3} \d+ [\d:]{8} \d{4}$/);
      process.env['TZ'] = 'Asia/Tokyo';
      expect(identityOf(process.pid, 'darwin')).toEqual(identity);
      expect(identityOf(spawnSync('true').pid, 'darwin')).toBeUndefined();
    });
  });
});
