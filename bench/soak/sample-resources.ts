import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listDescendants, listFiles } from '@quarry/system-tests';
import { readMemory } from '../quarry/process-memory.js';

/** The resources that Quarry uses at one time. */
export interface Resources {
  /** Anonymous memory of the Quarry process, in MiB. */
  readonly memory: number;
  /** Anonymous memory of its child processes, in MiB. Excludes PostgreSQL, which runs in the background. */
  readonly childMemory: number;
  /** Number of open files and sockets of the Quarry process. */
  readonly handles: number;
  /** Number of processes, including the Quarry process. */
  readonly processes: number;
  /** Number of files in the folder for temporary files. */
  readonly temporaryFiles: number;
  /** Number of blobs that are being written, or whose writing was interrupted. */
  readonly unfinishedBlobs: number;
}

/** Samples the resources of a Quarry process at an interval until a signal aborts. @param folder its data folder */
export async function sampleResources(
  pid: number,
  folder: string,
  intervalMs: number,
  signal: AbortSignal,
): Promise<readonly Resources[]> {
  const samples: Resources[] = [];
  while (!signal.aborted) {
    await wait(intervalMs, undefined, { signal }).catch(() => undefined);
    samples.push(await readResources(pid, folder));
  }
  return samples;
}

async function readResources(pid: number, folder: string): Promise<Resources> {
  const children = await listDescendants(pid);
  return {
    memory: readMemory(pid).anonymous,
    childMemory: children.reduce((sum, child) => sum + readChildMemory(child.pid), 0),
    handles: (await readdir(`/proc/${pid}/fd`)).length,
    processes: children.length + 1,
    temporaryFiles: (await listFiles(join(folder, 'tmp'))).length,
    unfinishedBlobs: (await listFiles(join(folder, 'blobs', '.unfinished'))).length,
  };
}

/** Returns the memory of a process, or 0 if it has exited. */
function readChildMemory(pid: number): number {
  try {
    return readMemory(pid).anonymous;
  } catch {
    return 0;
  }
}
