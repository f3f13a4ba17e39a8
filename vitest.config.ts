import { defineConfig } from 'vitest/config';

/** One project's tests: `vitest run --config ../../vitest.config.ts --root .` in its folder. */
export default defineConfig({
  resolve: { conditions: ['@quarry/source'] },
  ssr: { resolve: { conditions: ['@quarry/source'] } },
  test: { include: ['*/**/*.spec.ts'], passWithNoTests: true, testTimeout: 120_000, hookTimeout: 120_000 },
});
