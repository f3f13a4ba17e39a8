import { refuseOtherNode, runService } from '@quarry/service-kit';

// Before anything is loaded that another Node does not have.
refuseOtherNode();
const { readConfig, startStandalone } = await import('./index.js');

// The process that npm start runs holds the other end: when it is gone, however it went, Quarry closes as if told to.
process.once('disconnect', () => process.emit('SIGTERM'));

await runService('Quarry', async () => {
  const config = readConfig(process.env);
  process.env['TMPDIR'] = config.temporaryDirectory;
  return startStandalone(config, process.stdout);
});
