// npm run bench -- tenants [--stores lancedb,qdrant] [--tenants 1000] [--fragments 20]: times, memory and open files of
// a store with many organizations.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { parseNames, parseNumber } from '../quarry/parse-option.js';
import { runWithTemporaryFolder } from '../quarry/start-quarry.js';
import type { TenantFigures } from './measure-tenants.js';
import { STORES } from './open-tenant-store.js';

const run = promisify(execFile);
const MEASURE = fileURLToPath(new URL('./measure-tenants.js', import.meta.url));

const { values } = parseArgs({
  options: {
    stores: { type: 'string', default: STORES.join(',') },
    tenants: { type: 'string', default: '1000' },
    fragments: { type: 'string', default: '20' },
  },
});

const tenants = parseNumber('tenants', values.tenants);
const fragments = parseNumber('fragments', values.fragments);
for (const name of parseNames('stores', values.stores, STORES)) {
  const figures = await runWithTemporaryFolder(async (folder) => {
    // Each store is measured in a process of its own, so that the memory of the previous store is not counted.
    const { stdout } = await run(process.execPath, [MEASURE, name, folder, String(tenants), String(fragments)]);
    return JSON.parse(stdout) as TenantFigures; // measure-tenants.ts prints this form
  });
  const rows: Readonly<Record<string, number>> = { ...figures };
  console.log(name);
  console.table(Object.fromEntries(Object.entries(rows).map(([key, value]) => [key, Math.round(value * 10) / 10])));
}
