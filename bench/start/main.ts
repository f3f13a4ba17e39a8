// npm run bench -- start [--runs 5] [--json]: times from spawn to ready, and the memory of idle processes.
import { parseArgs } from 'node:util';
import { withFolder } from '../quarry/start-quarry.js';
import { measureMachine } from './measure-machine.js';
import { measureServices } from './measure-services.js';
import { measureYardsticks } from './measure-yardsticks.js';
import { createReport, formatTable } from './report.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);

const yardsticks = await withFolder(async (folder) => measureYardsticks(folder, runs));
const machine = await withFolder(async (folder) => measureMachine(folder, runs));
const services = await measureServices(runs);
const report = createReport({ yardsticks, machine, services });
console.log(values.json ? JSON.stringify(report, undefined, 2) : formatTable(report));
process.exitCode = report.missed.length === 0 ? 0 : 1;
