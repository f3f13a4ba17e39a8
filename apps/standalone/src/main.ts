import { cacheDrizzleResolution } from '@quarry/gateway/drizzle-resolution';
import { exitOnUnsupportedNode, runService } from '@quarry/service-kit';

// Requires Node 24 before modules are loaded that other versions of Node do not support.
exitOnUnsupportedNode();
// Registered before modules are loaded that import drizzle-orm.
const endCaching = cacheDrizzleResolution();
const { readConfig, startStandalone } = await import('./index.js');

// The parent process of `npm start` holds the other end of this channel. When it ends for any reason, Quarry shuts down.
process.once('disconnect', () => process.emit('SIGTERM'));

await runService('Quarry', async () => {
  const config = readConfig(process.env);
  process.env['TMPDIR'] = config.temporaryDirectory;
  return startStandalone(config, process.stdout).finally(endCaching);
});
