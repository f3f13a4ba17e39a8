import { existsSync } from 'node:fs';

const CANDIDATES = [
  process.env['QUARRY_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns the path of a Chromium or Chrome on this machine, or undefined if none is installed. */
export function findChromiumPath(): string | undefined {
  return CANDIDATES.find((path) => path !== undefined && path !== '' && existsSync(path));
}
