import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram, isProgram } from '@cobro/testing/find-program.ts';
import { canInstallWithApt, installPackages } from '../../dev/stack/servers/install-with-apt.ts';

/** The shell first: it draws the same pages with half the CPU, because it has no window. */
const PROGRAMS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge',
];
const ON_MACS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Arguments for a browser that only connects to the page under test. */
export const CHROMIUM_ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The program, or a sentence why there is none. */
export type Chromium = { program: string } | { lacking: string };

/** Finds `CHROMIUM_PATH`, else this machine's browser, else one that apt-get installs. */
export async function findOrInstallChromium(say: (line: string) => void): Promise<Chromium> {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return isProgram(given) ? { program: given } : { lacking: `CHROMIUM_PATH: ${given} is no program.` };
  const found = findChromium();
  if (found !== undefined) return { program: found };
  if (!canInstallWithApt()) {
    return { lacking: 'No Chromium for the browser tests: install one, set CHROMIUM_PATH, or run as root on Debian.' };
  }
  const logFile = path.join(mkdtempSync(path.join(tmpdir(), 'cobro-chromium-')), 'apt.log');
  try {
    await installPackages(['chromium-headless-shell'], logFile, say);
  } catch (error) {
    return { lacking: `No Chromium for the browser tests: ${error instanceof Error ? error.message : String(error)}` };
  }
  const installed = findChromium();
  return installed === undefined
    ? { lacking: `No Chromium for the browser tests: apt-get installed none (see ${logFile}).` }
    : { program: installed };
}

const findChromium = () => findProgram(PROGRAMS) ?? ON_MACS.find(isProgram);
