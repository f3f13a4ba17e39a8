import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it.each([
  ['npm start', 'start.mjs'],
  ['npm run start:services', 'start-services.mjs'],
])(
  '%s refuses command-line arguments before it installs anything, and names the environment variable that replaces the argument',
  (command, script) => {
    const path = fileURLToPath(new URL(`../../../scripts/${script}`, import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [path, '--port', '8080'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`expected no arguments of ${command}, found: --port 8080.`);
    expect(stderr).toContain('QUARRY_PORT=8080');
  },
);

it('if an option is unknown, ask.mjs prints an error and its usage without a stack trace', () => {
  const path = fileURLToPath(new URL('../../../scripts/ask.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [path, '--port', '3', 'question'], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Unknown option '--port'[^]*\n\nnode scripts\/ask\.mjs \[--url <url>\]/);
  expect(stderr).not.toContain('    at ');
});
