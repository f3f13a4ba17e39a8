/** Describes the module that a child process or a worker thread runs, and the options that it needs. */
export interface ChildEntry {
  readonly entry: URL;
  /** Node options to add to those that the caller sets for the process or thread. */
  readonly execArgv: readonly string[];
}

/** Source text of a module that makes Node resolve relative `.js` imports in `.ts` files to `.ts` files. */
const FIND_SOURCES = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      next(name.startsWith('.') && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context),
  });
`;

/**
 * Resolves the module that a child process or a thread runs. The module is a compiled file if `starter` is one, and
 * otherwise a source file, as in tests. For a source file, Node only strips the types. So the module must contain no
 * syntax that needs compilation, such as decorators.
 *
 * @param starter `import.meta.url` of the module that starts the entry
 * @param path path of the module relative to `starter`, such as `./reader.js`
 */
export function resolveChildEntry(starter: string, path: `./${string}.js`): ChildEntry {
  if (!starter.endsWith('.ts')) return { entry: new URL(path, starter), execArgv: [] };
  return {
    entry: new URL(path.replace(/\.js$/, '.ts'), starter),
    execArgv: ['--conditions=@quarry/source', '--import', `data:text/javascript,${encodeURIComponent(FIND_SOURCES)}`],
  };
}
