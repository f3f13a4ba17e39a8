import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listDescendantProcesses, listFilesOfFolder } from '@quarry/system-tests';
import { readResidentMemory } from '../quarry/process-memory.js';
import type { DatabaseProbe, DatabaseResources } from './read-database.js';

const MIB = 2 ** 20;

/** The resources that Quarry uses at one time. */
export interface Resources extends DatabaseResources {
  /** Anonymous memory of the Quarry process, in MiB. */
  readonly memory: number;
  /** Memory of the JavaScript objects in use, in MiB. It is a part of `heapTotal`. */
  readonly heapUsed: number;
  /** Memory of V8's whole heap, in MiB. It is a part of `memory`. */
  readonly heapTotal: number;
  /** Memory of buffers outside of V8's heap, in MiB. It is a part of `memory`. */
  readonly buffers: number;
  /** The rest of `memory` in MiB: LanceDB with its caches, and unused memory of the allocator. */
  readonly native: number;
  /** Anonymous memory of the child processes of the Quarry process, in MiB. Excludes PostgreSQL. */
  readonly childMemory: number;
  /** Number of open files and sockets of the Quarry process. */
  readonly handles: number;
  /** Number of processes: the Quarry process and its descendants. */
  readonly processes: number;
  /** Number of files in Quarry's own folder for temporary files and in `TMPDIR`. */
  readonly temporaryFiles: number;
  /** Number of blobs that are being written, or whose writing was interrupted. */
  readonly unfinishedBlobs: number;
  /** Size of the folder of LanceDB, in MiB. */
  readonly fragmentsSize: number;
  /** Number of files in the folder of LanceDB. */
  readonly fragmentFiles: number;
}

/** Identifies a Quarry process that runs with `memory-probe.js`. */
export interface ProbedProcess {
  readonly pid: number;
  /** Data folder of Quarry. */
  readonly folder: string;
  readonly probeFolder: string;
  /** Folder for temporary files: the value of `TMPDIR` in the Quarry process. */
  readonly temporaryFolder: string;
  readonly database: DatabaseProbe;
}

export interface Sampling {
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** Called after each new sample, with all samples so far. */
  readonly onSample: (samples: readonly Resources[]) => Promise<void>;
}

/** Samples the resources of a Quarry process every `intervalMs` milliseconds until `signal` is aborted. */
export async function sampleResources(
  probed: ProbedProcess,
  { intervalMs, signal, onSample }: Sampling,
): Promise<readonly Resources[]> {
  const samples: Resources[] = [];
  while (!signal.aborted) {
    await wait(intervalMs, undefined, { signal }).catch(() => undefined);
    samples.push(await readResources(probed));
    await onSample(samples);
  }
  return samples;
}

async function readResources(probed: ProbedProcess): Promise<Resources> {
  const { pid, folder, probeFolder, temporaryFolder, database } = probed;
  const children = await listDescendantProcesses(pid);
  const memory = readResidentMemory(pid).anonymous;
  const { heapUsed, heapTotal, external } = await readMemoryKinds(probeFolder);
  return {
    memory,
    ...{ heapUsed, heapTotal, buffers: external, native: memory - heapTotal - external },
    childMemory: children.reduce((sum, child) => sum + readChildMemory(child.pid), 0),
    handles: (await readdir(`/proc/${pid}/fd`)).length,
    processes: children.length + 1,
    temporaryFiles:
      (await listFilesOfFolder(join(folder, 'tmp'))).length + (await listFilesOfFolder(temporaryFolder)).length,
    unfinishedBlobs: (await listFilesOfFolder(join(folder, 'blobs', '.unfinished'))).length,
    ...(await readSizeOfFragmentsFolder(join(folder, 'fragments'))),
    ...(await database.read()),
  };
}

async function readSizeOfFragmentsFolder(folder: string): Promise<Pick<Resources, 'fragmentsSize' | 'fragmentFiles'>> {
  const files = await listFilesOfFolder(folder);
  // The size of a file that LanceDB has removed since the listing counts as 0.
  const sizes = await Promise.all(files.map(async (file) => (await stat(file).catch(() => undefined))?.size ?? 0));
  return { fragmentsSize: sizes.reduce((sum, size) => sum + size, 0) / MIB, fragmentFiles: files.length };
}

/** Reads the file that `memory-probe.js` has last written. @returns the memory by kind, in MiB */
async function readMemoryKinds(probeFolder: string): Promise<Record<'heapUsed' | 'heapTotal' | 'external', number>> {
  const text = await readFile(join(probeFolder, 'memory.json'), 'utf8');
  const { heapUsed, heapTotal, external } = JSON.parse(text) as NodeJS.MemoryUsage; // the probe writes this form
  return { heapUsed: heapUsed / MIB, heapTotal: heapTotal / MIB, external: external / MIB };
}

/**
 * Returns the anonymous memory of a process in MiB; 0 if it has exited or is exiting, because `/proc/<pid>/status` then
 * contains no memory.
 */
function readChildMemory(pid: number): number {
  try {
    return readResidentMemory(pid).anonymous || 0;
  } catch {
    return 0;
  }
}
