import { existsSync, readdirSync } from 'node:fs';
import { defineConfig, mergeConfig } from 'vitest/config';
import project from './vitest.config.js';

const folders = ['libs', 'apps', 'examples']
  .filter((parent) => existsSync(parent))
  .flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`))
  .concat('bench');

/** The tests of all projects in one run. */
export default defineConfig({
  test: {
    projects: folders.map((folder) => mergeConfig(project, { root: folder, test: { name: folder } })),
  },
});
