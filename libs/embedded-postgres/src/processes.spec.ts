import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isProcessWorkingIn, listProcessesWorkingIn } from './processes.js';

const FOLDER = '/usr';
/** User id of `nobody` on Linux systems. */
const NOBODY = 65_534;
const isSupported = process.getuid?.() === 0 && existsSync('/usr/bin/setpriv');

describe.skipIf(process.platform !== 'linux')('the processes of a folder (skipped without /proc)', () => {
  it('isProcessWorkingIn and listProcessesWorkingIn find a process by its working directory', async () => {
    const child = spawn('sleep', ['60'], { cwd: FOLDER });
    onTestFinished(() => void child.kill());
    expect(await isProcessWorkingIn(child.pid ?? 0, FOLDER)).toBe(true);
    expect(await isProcessWorkingIn(child.pid ?? 0, '/etc')).toBe(false);
    expect(await listProcessesWorkingIn(FOLDER)).toContain(child.pid);
  });
});

describe.skipIf(!isSupported)('root without SYS_PTRACE (skipped for other users and without setpriv)', () => {
  it('without SYS_PTRACE, isProcessWorkingIn finds the server of another user, and listProcessesWorkingIn returns undefined', async () => {
    // The command line contains `postgres` and the folder, as that of a PostgreSQL server does.
    const child = spawn('sh', ['-c', 'sleep 60; true', 'postgres', '-D', FOLDER], { cwd: FOLDER, uid: NOBODY });
    onTestFinished(() => void child.kill());
    const module = new URL('processes.ts', import.meta.url).href;
    // The hook makes Node load the TypeScript source of each imported `.js` module.
    const script = `
      import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => next(name.replace(/^(\\..*)\\.js$/, '$1.ts'), context) });
      const { isProcessWorkingIn, listProcessesWorkingIn } = await import(${JSON.stringify(module)});
      console.log(await isProcessWorkingIn(${String(child.pid)}, '${FOLDER}'), await listProcessesWorkingIn('${FOLDER}'));`;
    const command = ['--bounding-set=-sys_ptrace', '--inh-caps=-sys_ptrace', process.execPath];
    const { stdout } = await promisify(execFile)('setpriv', [...command, '--input-type=module', '-e', script]);
    expect(stdout).toBe('true undefined\n');
  });
});
