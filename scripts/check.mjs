// npm run check: format, lint, types, unit tests, unused code. Nx remembers what has not changed.
import { install, requireNode, run, tool } from './toolchain.mjs';

await install();
requireNode();

const steps = [
  ['format', [tool('prettier'), '--check', '--log-level=warn', '.']],
  ['lint of the scripts', [tool('eslint'), '--max-warnings=0', 'scripts', '*.mjs']],
  ['project references', [tool('nx'), 'sync:check']],
  [
    'lint, types, unit tests',
    [tool('nx'), 'run-many', '-t', 'build', 'lint', 'test', '--parallel=2', '--outputStyle=dynamic-legacy'],
  ],
  ['unused code and dependencies', [tool('knip')]],
];
for (const [title, command] of steps) {
  const begun = Date.now();
  const code = await run(command);
  const seconds = Math.round((Date.now() - begun) / 1000);
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${title} (${seconds} s)`);
  if (code !== 0) process.exit(code);
}
