import { cacheDrizzleResolution } from '@quarry/gateway/drizzle-resolution';
import { exitOnUnsupportedNode, runService } from '@quarry/service-kit';

// Ends the process on other versions than Node 24, before modules are loaded that only Node 24 supports.
exitOnUnsupportedNode();
// `npm start` runs this process as a child with an IPC channel. When the parent ends for any reason, Quarry shuts down.
// Before `runService` is called, SIGTERM has no handler, and there is nothing to close.
process.once('disconnect', () => {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(1);
});
// This call must come before the import of any module that imports drizzle-orm.
const endCaching = cacheDrizzleResolution();
const { readConfig, startStandalone } = await import('./index.js');

await runService('Quarry', async () => {
  const config = readConfig(process.env);
  process.env['TMPDIR'] = config.temporaryDirectory;
  return startStandalone(config, process.stdout).finally(endCaching);
});
