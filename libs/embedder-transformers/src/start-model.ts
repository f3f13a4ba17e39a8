import { fork, type ChildProcess } from 'node:child_process';
import type { ModelToRun } from './messages.js';

/** How the process finds `.ts` behind the `.js` of an import when the sources run as they are, as in tests. */
const RUN_SOURCES = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      next(name.startsWith('.') && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context),
  });
`;

/** Starts a process for a model, which is loaded when it is first asked. */
export function startModel(model: ModelToRun): ChildProcess {
  const fromSources = import.meta.url.endsWith('.ts');
  const entry = new URL(`./model-main${fromSources ? '.ts' : '.js'}`, import.meta.url);
  return fork(entry, [JSON.stringify(model)], {
    execArgv: fromSources ? ['--import', `data:text/javascript,${encodeURIComponent(RUN_SOURCES)}`] : [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}
