import { parseArgs } from 'node:util';
import {
  findMissingRequirement,
  runFaultCampaign,
  startFragileMachine,
  startFragileServices,
  type RoundReport,
} from '@quarry/system-tests';
import { parseNumber } from '../quarry/parse-option.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    faults: { type: 'string', default: '1000' },
    'per-round': { type: 'string', default: '4' },
    stack: { type: 'string', default: 'both' },
  },
});
const seed = parseNumber('seed', values.seed);
const allFaults = parseNumber('faults', values.faults);
const faultsPerRound = parseNumber('per-round', values['per-round']);
const stacks = { machine: startFragileMachine, services: startFragileServices };
const chosen = Object.entries(stacks).filter(([name]) => values.stack === 'both' || values.stack === name);
if (chosen.length === 0) throw new Error(`expected --stack machine, services or both, found ${values.stack}`);

const startedAt = performance.now();
const formatElapsedTime = (): string => `${Math.round((performance.now() - startedAt) / 1_000)} s`.padStart(7);
const printRound = ({ round, faults, requests, injected }: RoundReport): void => {
  console.log(`${formatElapsedTime()}  round ${round}, ${faults} faults, ${requests} requests: ${injected.join(', ')}`);
};

let failed = 0;
for (const [name, start] of chosen) {
  const missing = name === 'services' ? findMissingRequirement() : undefined;
  if (missing !== undefined) {
    console.log(`${name}: not run, because ${missing}`);
    failed += 1;
    continue;
  }
  const faults = Math.ceil(allFaults / chosen.length);
  console.log(`${name}: ${faults} faults with seed ${seed}`);
  try {
    const report = await runFaultCampaign({ seed, faults, faultsPerRound, start, onRound: printRound });
    console.log(
      `${name}: ${report.faults} faults in ${report.rounds} rounds: 0 lost, 0 stuck, 0 duplicated, 0 resurrected`,
    );
    for (const [fault, count] of Object.entries(report.injected))
      console.log(`  ${String(count).padStart(4)}  ${fault}`);
    for (const reason of report.unavailable) console.log(`  not available: ${reason}`);
  } catch (error) {
    failed += 1;
    console.error(error instanceof Error ? error.message : error);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
