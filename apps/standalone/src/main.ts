import { cacheDrizzleResolution } from '@quarry/gateway/drizzle-resolution';
import { exitOnUnsupportedNode, runService } from '@quarry/service-kit';

// Ends the process on other versions than Node 24, before modules are loaded that only Node 24 supports.
exitOnUnsupportedNode();
// Must be called before any module that imports drizzle-orm is loaded.
const endCaching = cacheDrizzleResolution();
const { readConfig, startStandalone } = await import('./index.js');

// `npm start` runs this process as a child with an IPC channel. When the parent ends for any reason, Quarry shuts down.
process.once('disconnect', () => process.emit('SIGTERM'));

await runService('Quarry', async () => {
  const config = readConfig(process.env);
  process.env['TMPDIR'] = config.temporaryDirectory;
  return startStandalone(config, process.stdout).finally(endCaching);
});
