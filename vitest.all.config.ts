import { readdirSync } from 'node:fs';
import { defineConfig, mergeConfig } from 'vitest/config';
import project from './vitest.config.js';

const folders = ['libs', 'apps'].flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`));

/** The tests of all projects in one run; the system tests last, when nothing else competes with them. */
export default defineConfig({
  test: {
    projects: folders.map((folder) =>
      mergeConfig(project, {
        root: folder,
        test: { name: folder, sequence: { groupOrder: folder === 'apps/system-tests' ? 1 : 0 } },
      }),
    ),
  },
});
