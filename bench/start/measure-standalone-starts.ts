import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readCpuSeconds } from '../quarry/cpu-seconds.js';
import { computePercentile } from '../quarry/percentile.js';
import { startQuarry, type QuarryUnderTest } from '../quarry/start-quarry.js';
import { ingestDocuments } from '../retrieval/ingest.js';
import { createRandomCorpus } from '../search/corpus.js';
import { listProcessTree, readProcessMemory, type ProcessesMemory } from './read-memory.js';

/**
 * Durations of the phases of one start of Quarry in milliseconds, and the CPU seconds of its process until it is ready.
 */
export interface StartTimes {
  /** Time to load the modules with which Quarry starts PostgreSQL. */
  readonly modules: number;
  /** Time to start PostgreSQL. Quarry loads its other modules during this time. */
  readonly postgres: number;
  readonly stores: number;
  readonly services: number;
  readonly ready: number;
  readonly cpuSeconds: number;
}

/** The memory of a standalone Quarry, by kind of process. */
export interface MachineMemory {
  readonly main: ProcessesMemory;
  readonly readers: ProcessesMemory;
  readonly postgres: ProcessesMemory;
}

export interface MachineFigures {
  /** Medians of the starts on a data folder with documents. */
  readonly times: StartTimes;
  readonly atReady: MachineMemory;
  /** The memory directly after documents were indexed and searched. */
  readonly afterReading: MachineMemory;
  /** The memory after the idle reader processes have exited. */
  readonly idle: MachineMemory;
}

export const DOCUMENTS = 20;
const SETTLE_MS = 3_000;
/** Maximum time to wait until idle reader processes have exited, in milliseconds. */
const MAX_IDLE_MS = 90_000;
const POLL_MS = 500;

/**
 * Measures `runs` starts of a standalone Quarry, after a first start that fills the empty folder and is not measured.
 */
export async function measureStandaloneStarts(folder: string, runs: number): Promise<MachineFigures> {
  const first = await startQuarry({ folder });
  await addDocumentsAndSearch(first);
  await first.stop();
  const starts: StartTimes[] = [];
  for (let turn = 1; turn < runs; turn += 1) {
    const { quarry, times } = await startAndMeasureQuarry(folder);
    await quarry.stop();
    starts.push(times);
  }
  const { quarry, times } = await startAndMeasureQuarry(folder);
  try {
    const memory = await measureStandaloneMemory(quarry, folder);
    return { times: computeMedians([...starts, times]), ...memory };
  } finally {
    await quarry.stop();
  }
}

async function addDocumentsAndSearch({ client }: QuarryUnderTest): Promise<void> {
  const { documents, questions } = createRandomCorpus(DOCUMENTS);
  const datastoreId = await ingestDocuments(client, { name: 'bench', documents, queries: [] }, undefined);
  await client.queryDatastore(datastoreId, { query: questions[0] ?? '' });
}

async function startAndMeasureQuarry(
  folder: string,
): Promise<{ readonly quarry: QuarryUnderTest; readonly times: StartTimes }> {
  const begun = performance.now();
  const lines: { readonly text: string; readonly ms: number }[] = [];
  const quarry = await startQuarry({
    folder,
    onLine: (text) => void lines.push({ text, ms: performance.now() - begun }),
  });
  const ready = performance.now() - begun;
  const cpuSeconds = await readCpuSeconds(quarry.pid);
  const findTime = (start: string): number => {
    const line = lines.find(({ text }) => text.trimStart().startsWith(start));
    if (line === undefined)
      throw new Error(`expected a line in the output of Quarry that starts with ${start}, found none`);
    return line.ms;
  };
  const modules = findTime('Quarry starts on');
  const postgres = findTime('Starting PostgreSQL');
  const stores = findTime('Opening the database');
  const times = { modules, postgres: postgres - modules, stores: stores - postgres, services: ready - stores };
  return { quarry, times: { ...times, ready, cpuSeconds } };
}

function computeMedians(starts: readonly StartTimes[]): StartTimes {
  const computeMedian = (name: keyof StartTimes): number =>
    computePercentile(
      starts.map((start) => start[name]),
      50,
    );
  return {
    modules: computeMedian('modules'),
    postgres: computeMedian('postgres'),
    stores: computeMedian('stores'),
    services: computeMedian('services'),
    ready: computeMedian('ready'),
    cpuSeconds: computeMedian('cpuSeconds'),
  };
}

async function measureStandaloneMemory(
  quarry: QuarryUnderTest,
  folder: string,
): Promise<Omit<MachineFigures, 'times'>> {
  await wait(SETTLE_MS);
  const atReady = await readMachineMemory(quarry, folder);
  await addDocumentsAndSearch(quarry);
  const afterReading = await readMachineMemory(quarry, folder);
  const deadline = performance.now() + MAX_IDLE_MS;
  while (performance.now() < deadline && (await listProcessTree(quarry.pid)).length > 1) await wait(POLL_MS);
  await wait(SETTLE_MS);
  return { atReady, afterReading, idle: await readMachineMemory(quarry, folder) };
}

async function readMachineMemory({ pid }: QuarryUnderTest, folder: string): Promise<MachineMemory> {
  const [, ...readers] = await listProcessTree(pid);
  // PostgreSQL is not a child process of Quarry. The first line of this file is the id of PostgreSQL's main process.
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8'), 10);
  return {
    main: await readProcessMemory([pid]),
    readers: await readProcessMemory(readers),
    postgres: await readProcessMemory(await listProcessTree(postmaster)),
  };
}
