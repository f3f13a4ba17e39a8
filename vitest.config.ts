import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['@quarry/source'] },
  ssr: { resolve: { conditions: ['@quarry/source'] } },
  test: { include: ['src/**/*.spec.ts'], passWithNoTests: true },
});
