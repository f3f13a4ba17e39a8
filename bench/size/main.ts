// npm run bench -- size [--json]: what a browser downloads of each front end.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MAX_FIRST_LOAD_BYTES } from '@quarry/system-tests';
import { measureBuildSizes } from './measure-build-sizes.js';
import { createReport, formatReportTable } from './report.js';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });

const CONSOLE = fileURLToPath(new URL('../../../apps/console/dist/web/', import.meta.url));
const MAX_CONSOLE_BYTES = 400_000;

const report = createReport([
  {
    name: 'console',
    sizes: measureBuildSizes(CONSOLE, ['index.html', 'src/screens/datastores/datastores-screen.tsx']),
    budgets: { firstLoad: MAX_FIRST_LOAD_BYTES, all: MAX_CONSOLE_BYTES },
  },
]);
console.log(values.json ? JSON.stringify(report, undefined, 2) : formatReportTable(report));
process.exitCode = report.missed.length === 0 ? 0 : 1;
