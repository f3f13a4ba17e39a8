import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type QuarryClient } from '@quarry/client';
import { createDataFolder } from '../quarry/data-folder.js';
import { ROOT_KEY, startQuarry, type QuarryProcess } from '../quarry/quarry-process.js';
import type { Variables } from '../quarry/stack.js';
import { createKillFault, pickOneProcess, createSuspendFault, type Fault, type FragileStack } from './faults.js';
import {
  listDescendantProcesses,
  listFilesOfFolder,
  listProcessesByEnvironment,
  sendSignalToProcesses,
  type ProcessEntry,
} from './list-processes.js';
import { Violation } from './violation.js';

const DISK_MB = 2_048;
const OUTPUT_CHARACTERS = 6_000;
const START_LIMIT_MS = 180_000;
const END_LIMIT_MS = 45_000;
const PROBE_MS = 100;

/** Starts Quarry as `npm start` does. The data folder is on its own tmpfs, if this process may mount one. */
export async function startFragileMachine(variables: Variables): Promise<FragileStack> {
  const machine = new FragileMachine(await createDataFolder(), variables);
  await machine.start();
  return machine;
}

class FragileMachine implements FragileStack {
  readonly title = 'one machine';
  readonly #mark = `quarry-faults-${crypto.randomUUID()}`;
  readonly #hasDisk: boolean;
  #quarry: QuarryProcess | undefined;
  #printedBefore = '';
  #isRestarting = false;

  constructor(
    private readonly folder: string,
    private readonly variables: Variables,
  ) {
    this.#hasDisk =
      spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=711`, 'tmpfs', folder]).status === 0;
  }

  get unavailable(): readonly string[] {
    return this.#hasDisk ? [] : ['full disk: needs the permission to mount a tmpfs'];
  }

  get faults(): readonly Fault[] {
    const findPostgres = async (): Promise<readonly ProcessEntry[]> => this.#findProcesses('postgres');
    const findReaders = async (): Promise<readonly ProcessEntry[]> => this.#findProcesses('reader-process');
    return [
      { name: 'kill Quarry', target: 'Quarry', inject: async () => this.#restartQuarry('SIGKILL') },
      { name: 'terminate Quarry', target: 'Quarry', inject: async () => this.#restartQuarry('SIGTERM') },
      createSuspendFault('Quarry', () => (this.#quarry === undefined ? [] : [this.#quarry])),
      createKillFault('PostgreSQL', findPostgres),
      createKillFault('a process of PostgreSQL', async (random) => pickOneProcess(random, await findPostgres())),
      createSuspendFault('PostgreSQL', findPostgres),
      createKillFault('a reading process', async (random) => pickOneProcess(random, await findReaders())),
      createSuspendFault('reading processes', findReaders),
      ...(this.#hasDisk ? [this.#createFullDisk()] : []),
    ];
  }

  connect(): QuarryClient {
    return createClient({ baseUrl: this.#quarry?.baseUrl ?? 'http://127.0.0.1:9/api', apiKey: ROOT_KEY });
  }

  /**
   * Starts Quarry, and repeats a failed start as a service manager does.
   *
   * @throws Violation if starts still fail after `START_LIMIT_MS`
   */
  async start(): Promise<void> {
    const data = join(this.folder, 'data');
    const temporary = join(this.folder, 'tmp');
    for (const folder of [data, temporary]) await mkdir(folder, { recursive: true });
    for (const folder of [this.folder, data]) await chmod(folder, 0o711);
    const variables = { ...this.variables, TMPDIR: temporary, QUARRY_FAULTS_MARK: this.#mark };
    const deadline = Date.now() + START_LIMIT_MS;
    for (;;) {
      try {
        this.#quarry = await startQuarry(data, variables);
        return;
      } catch (error) {
        if (Date.now() > deadline)
          throw new Violation('ended', `expected Quarry to start, found ${String(error)}`, { cause: error });
        await pause(PROBE_MS);
      }
    }
  }

  verifyAlive(): void {
    if (this.#isRestarting || this.#quarry?.hasEnded() === false) return;
    throw new Violation(
      'ended',
      `expected Quarry to run, found that it has exited by itself with ${String(this.#quarry?.endedWith())}`,
    );
  }

  async verifyProcesses(): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    for (;;) {
      this.verifyAlive();
      const response = await fetch(new URL('/health/ready', this.#quarry?.baseUrl)).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.ok === true) return;
      if (Date.now() > deadline)
        throw new Violation(
          'stuck',
          `expected Quarry to be ready within ${START_LIMIT_MS / 1_000} s, found that it is not`,
        );
      await pause(PROBE_MS);
    }
  }

  async listBlobs(): Promise<readonly string[]> {
    return listFilesOfFolder(join(this.folder, 'data', 'blobs'));
  }

  output(): string {
    return (this.#printedBefore + (this.#quarry?.output() ?? '')).slice(-OUTPUT_CHARACTERS);
  }

  async stop(): Promise<void> {
    const code = await this.#quarry?.stop();
    try {
      if (code !== 0) throw new Violation('ended', `expected Quarry to exit with code 0, found ${String(code)}`);
      const processes = await listProcessesByEnvironment(this.#mark);
      const folders = [join(this.folder, 'tmp'), join(this.folder, 'data', 'tmp')];
      const files = await Promise.all(folders.map(async (folder) => readdir(folder).catch(() => [])));
      const left = [...processes.map(({ pid, command }) => `process ${pid} ${command}`), ...files.flat()];
      if (left.length > 0)
        throw new Violation('left behind', `expected no processes or files, found ${left.join(', ')}`);
    } finally {
      sendSignalToProcesses('SIGKILL', await listProcessesByEnvironment(this.#mark));
      if (this.#hasDisk) spawnSync('umount', [this.folder]);
      await rm(this.folder, { recursive: true, force: true });
    }
  }

  async #findProcesses(command: string): Promise<readonly ProcessEntry[]> {
    const descendants = await listDescendantProcesses(this.#quarry?.pid ?? 0);
    return descendants.filter((entry) => entry.command.includes(command));
  }

  async #restartQuarry(how: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const quarry = this.#quarry;
    if (quarry === undefined) return;
    this.verifyAlive();
    this.#isRestarting = true;
    const killTimer = setTimeout(() => void quarry.kill(), END_LIMIT_MS);
    await quarry.stop(how);
    clearTimeout(killTimer);
    this.#printedBefore = this.output();
    await this.start();
    this.#isRestarting = false;
  }

  #createFullDisk(): Fault {
    const ballast = join(this.folder, 'ballast');
    return {
      name: 'full disk',
      target: 'disk',
      inject: async (random) => {
        // dd exits by itself when the disk is full.
        const filling = spawn('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M'], { stdio: 'ignore' });
        await once(filling, 'close');
        await pause(random.pickInteger(200, 3_000));
        await rm(ballast, { force: true });
      },
    };
  }
}
