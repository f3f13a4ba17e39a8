import { fork, type ChildProcess } from 'node:child_process';

/** Of the memory that a process may hold, what V8 may use for its objects. */
const HEAP_SHARE = 0.75;

/** How the process finds `.ts` behind the `.js` of an import when the sources run as they are, as in tests. */
const RUN_SOURCES = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      next(name.startsWith('.') && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context),
  });
`;

/** Starts a reading process. It sees no variable of the environment, writes no file and starts no program. */
export function startProcess(memoryMb: number): ChildProcess {
  const fromSources = import.meta.url.endsWith('.ts');
  const entry = new URL(`./reader-process${fromSources ? '.ts' : '.js'}`, import.meta.url);
  const hooks = fromSources ? ['--import', `data:text/javascript,${encodeURIComponent(RUN_SOURCES)}`] : [];
  return fork(entry, [String(memoryMb)], {
    env: {},
    execArgv: [
      `--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`,
      '--permission',
      '--allow-fs-read=*',
      '--allow-worker',
      '--no-warnings',
      ...hooks,
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}
