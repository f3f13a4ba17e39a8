import { existsSync, readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { buildTests } from './vitest.config.js';

const folders = ['libs', 'apps', 'examples']
  .filter((parent) => existsSync(parent))
  .flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`))
  .concat('bench');

/** The tests of all projects in one run. */
export default defineConfig({ test: { projects: folders.map(buildTests) } });
