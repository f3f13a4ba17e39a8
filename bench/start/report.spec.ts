import { describe, expect, it } from 'vitest';
import { createReport, formatReportTable, type Figures } from './report.js';

const createMemory = (proportionalMb: number) => ({ processes: 1, proportionalMb, residentMb: 2 * proportionalMb });
const createMachineMemory = (main: number) => ({
  main: createMemory(main),
  readers: createMemory(0),
  postgres: createMemory(30),
});

function createFigures({ ready, main, serviceMs }: Readonly<Record<'ready' | 'main' | 'serviceMs', number>>): Figures {
  const memory = createMachineMemory(main);
  return {
    yardsticks: { nodeMs: 50, postgresMs: 450 },
    machine: {
      times: { modules: 500, postgres: 400, stores: 100, services: 200, ready, cpuSeconds: 0.8 },
      ...{ atReady: memory, afterReading: memory, idle: memory },
    },
    services: [{ name: 'query', modulesMs: 300, readyMs: serviceMs, cpuSeconds: 0.4, memory: createMemory(100) }],
  };
}

describe('the report on starts', () => {
  it('the report compares the start time of standalone Quarry with that of Node and PostgreSQL alone, and adds up the memory of Quarry’s processes', () => {
    const report = createReport(createFigures({ ready: 1_200, main: 200, serviceMs: 900 }));
    expect(report).toMatchObject({ machineRatio: 2.4, machineIdleMb: 230, missed: [] });
    expect(formatReportTable(report)).toMatch(/one machine .* 1200 +2\.4 × +0\.80\nquery .* 900 +18\.0 ×/);
  });

  it('the report lists each target with its result, and the missed targets', () => {
    const report = createReport(createFigures({ ready: 1_501, main: 321, serviceMs: 1_001 }));
    const table = formatReportTable(report);
    expect(report.missed).toEqual([
      'one machine: expected at most 1500 ms to ready, found 1501',
      'one machine: expected at most 350 MB idle, found 351',
      'query: expected at most 1000 ms to ready, found 1001',
    ]);
    expect(table).toMatch(/\none machine +1501 +1500 +missed +ms to ready\none machine +351 +350 +missed +MB idle\n/);
    expect(table).toMatch(/\nquery +1001 +1000 +missed +ms to ready\nquery +100 +120 +met +MB idle$/);
  });
});
