// npm run bench -- start [--runs 5] [--json]: times from spawn to ready, and the memory of idle processes.
import { parseArgs } from 'node:util';
import { parseNumber } from '../quarry/parse-option.js';
import { runWithTemporaryFolder } from '../quarry/start-quarry.js';
import { measureStandaloneStarts } from './measure-standalone-starts.js';
import { measureServiceStarts } from './measure-service-starts.js';
import { measureNodeAndPostgresStarts } from './measure-node-and-postgres-starts.js';
import { createReport, formatReportTable } from './report.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const runs = parseNumber('runs', values.runs);

const yardsticks = await runWithTemporaryFolder(async (folder) => measureNodeAndPostgresStarts(folder, runs));
const machine = await runWithTemporaryFolder(async (folder) => measureStandaloneStarts(folder, runs));
const services = await measureServiceStarts(runs);
const report = createReport({ yardsticks, machine, services });
console.log(values.json ? JSON.stringify(report, undefined, 2) : formatReportTable(report));
process.exitCode = report.missed.length === 0 ? 0 : 1;
