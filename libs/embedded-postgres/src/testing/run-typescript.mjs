import { runnerImport } from 'vite';

// Runs a TypeScript module of the workspace in a process of its own, as vitest runs the tests.
await runnerImport(process.argv[2], {
  configFile: false,
  root: import.meta.dirname,
  logLevel: 'error',
  resolve: { conditions: ['@quarry/source'] },
});
