import { startQuarry, withFolder } from '../quarry/start-quarry.js';

await withFolder(async (folder) => {
  const quarry = await startQuarry({ folder });
  await quarry.stop();
});
