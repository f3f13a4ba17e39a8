// npm run check: checks project references, format, lint, types, unit tests and unused code. Nx caches the results.
import { installPackages, requireSupportedNode, runCommand, getToolPath } from './toolchain.mjs';

await installPackages();
requireSupportedNode();

const begun = Date.now();
const steps = [
  [getToolPath('nx'), 'sync:check'],
  [getToolPath('nx'), 'run-many', '--projects=quarry', '--targets=unit,lint,types,format,unused', '--parallel=2'],
];
for (const command of steps) {
  const code = await runCommand(command);
  if (code !== 0) process.exit(code);
}
console.log(`Checked in ${Math.round((Date.now() - begun) / 1000)} s`);
