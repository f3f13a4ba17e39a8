import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it.each([
  ['npm start', 'start.mjs'],
  ['npm run start:services', 'start-services.mjs'],
])(
  '%s refuses arguments before it installs anything, and names the environment variable to set instead',
  (command, script) => {
    const path = fileURLToPath(new URL(`../../../scripts/${script}`, import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [path, '--port', '8080'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`expected no arguments of ${command}, found: --port 8080.`);
    expect(stderr).toContain('QUARRY_PORT=8080');
  },
);

it('ask.mjs refuses an unknown option with its usage, without a stack', () => {
  const path = fileURLToPath(new URL('../../../scripts/ask.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [path, '--port', '3', 'question'], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Unknown option '--port'[^]*\n\nnode scripts\/ask\.mjs \[--url <url>\]/);
  expect(stderr).not.toContain('    at ');
});
