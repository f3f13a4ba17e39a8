import { DOCUMENTS, type MachineFigures, type MachineMemory } from './measure-standalone-starts.js';
import type { ServiceFigures } from './measure-service-starts.js';
import type { Yardsticks } from './measure-node-and-postgres-starts.js';
import type { ProcessesMemory } from './read-memory.js';

export interface Figures {
  readonly yardsticks: Yardsticks;
  readonly machine: MachineFigures;
  readonly services: readonly ServiceFigures[];
}

export interface Report extends Figures {
  /** Time until a standalone Quarry is ready, divided by the sum of the start times of Node and PostgreSQL alone. */
  readonly machineRatio: number;
  /** Memory of all idle processes of a standalone Quarry, in MB. */
  readonly machineIdleMb: number;
  readonly targets: readonly Target[];
  /** The targets that the measurements miss, each as one line of text. */
  readonly missed: readonly string[];
}

interface Target {
  /** Name of the measured part: `one machine` for a standalone Quarry, otherwise the name of a service. */
  readonly name: string;
  readonly unit: string;
  /** The highest value of `found` that meets the target, in `unit`. */
  readonly limit: number;
  readonly found: number;
  readonly isMet: boolean;
}

const MAX_MACHINE_MS = 1_500;
const MAX_SERVICE_MS = 1_000;
const MAX_MACHINE_MB = 350;
const MAX_SERVICE_MB = 120;

export function createReport(figures: Figures): Report {
  const { yardsticks, machine, services } = figures;
  const machineIdleMb = sumProportionalMemory(machine.idle);
  const limits = [
    { name: 'one machine', unit: 'ms to ready', limit: MAX_MACHINE_MS, found: machine.times.ready },
    { name: 'one machine', unit: 'MB idle', limit: MAX_MACHINE_MB, found: machineIdleMb },
    ...services.flatMap(({ name, readyMs, memory }) => [
      { name, unit: 'ms to ready', limit: MAX_SERVICE_MS, found: readyMs },
      { name, unit: 'MB idle', limit: MAX_SERVICE_MB, found: memory.proportionalMb },
    ]),
  ];
  const targets = limits.map((each) => ({ ...each, isMet: each.found <= each.limit }));
  return {
    ...figures,
    machineRatio: machine.times.ready / (yardsticks.nodeMs + yardsticks.postgresMs),
    machineIdleMb,
    targets,
    missed: targets
      .filter(({ isMet }) => !isMet)
      .map(({ name, unit, limit, found }) => `${name}: expected at most ${limit} ${unit}, found ${found.toFixed(0)}`),
  };
}

function sumProportionalMemory({ main, readers, postgres }: MachineMemory): number {
  return main.proportionalMb + readers.proportionalMb + postgres.proportionalMb;
}

const formatRow = (name: string, cells: readonly string[]): string =>
  `${name.padEnd(22)}${cells.map((cell) => cell.padStart(12)).join('')}`;
const formatNumber = (value: number): string => value.toFixed(0);

/** Formats the report as tables. */
export function formatReportTable({ yardsticks, machine, machineRatio, services, targets }: Report): string {
  const { modules, postgres, stores, services: start, ready, cpuSeconds } = machine.times;
  const cpu = cpuSeconds.toFixed(2);
  return [
    `medians in ms; alone: node ${formatNumber(yardsticks.nodeMs)}, PostgreSQL ${formatNumber(yardsticks.postgresMs)}`,
    formatRow('start', ['modules', 'PostgreSQL', 'stores', 'services', 'ready', 'of alone', 'CPU s']),
    formatRow('one machine', [
      ...[modules, postgres, stores, start, ready].map(formatNumber),
      `${machineRatio.toFixed(1)} ×`,
      cpu,
    ]),
    ...services.map((service) =>
      formatRow(service.name, [
        ...[formatNumber(service.modulesMs), '', '', '', formatNumber(service.readyMs)],
        `${(service.readyMs / yardsticks.nodeMs).toFixed(1)} ×`,
        service.cpuSeconds.toFixed(2),
      ]),
    ),
    '',
    formatRow('MB (Pss / resident)', ['main', 'readers', 'PostgreSQL', 'all']),
    formatMachineMemoryRow('ready', machine.atReady),
    formatMachineMemoryRow(`after ${DOCUMENTS} documents`, machine.afterReading),
    formatMachineMemoryRow('idle', machine.idle),
    ...services.map(({ name, memory }) => formatRow(`${name}, idle`, [formatMemoryPair(memory)])),
    '',
    formatRow('target', ['found', 'at most', 'result', '']),
    ...targets.map(({ name, unit, limit, found, isMet }) =>
      formatRow(name, [formatNumber(found), formatNumber(limit), isMet ? 'met' : 'missed', unit]),
    ),
  ].join('\n');
}

function formatMachineMemoryRow(name: string, memory: MachineMemory): string {
  const { main, readers, postgres } = memory;
  return formatRow(name, [
    ...[main, readers, postgres].map(formatMemoryPair),
    formatNumber(sumProportionalMemory(memory)),
  ]);
}

function formatMemoryPair({ proportionalMb, residentMb }: ProcessesMemory): string {
  return `${formatNumber(proportionalMb)} / ${formatNumber(residentMb)}`;
}
