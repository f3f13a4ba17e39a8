import { defineConfig } from 'vitest/config';

/** One project's tests: `vitest run --config ../../vitest.config.ts --root .` in its folder. */
export default defineConfig({
  resolve: { conditions: ['@quarry/source'] },
  ssr: { resolve: { conditions: ['@quarry/source'] } },
  test: { include: ['src/**/*.spec.ts'], passWithNoTests: true, testTimeout: 30_000, hookTimeout: 60_000 },
});
