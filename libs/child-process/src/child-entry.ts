/** Describes the module that a child process or a thread runs. */
export interface ChildEntry {
  readonly entry: URL;
  /** Node options to add to those of the caller. */
  readonly execArgv: readonly string[];
}

/** Source of a loader that resolves relative `.js` imports to `.ts` files. Node itself does not resolve them. */
const FIND_SOURCES = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      next(name.startsWith('.') && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context),
  });
`;

/**
 * Resolves the module that a child process or a thread runs. It is a compiled file if `starter` is compiled, and a
 * source file in tests. Node only strips types from source files, so the module must contain no syntax that needs
 * compilation, such as decorators.
 *
 * @param starter `import.meta.url` of the module that starts the entry
 * @param path relative to `starter`, such as `./reader.js`
 */
export function resolveChildEntry(starter: string, path: `./${string}.js`): ChildEntry {
  if (!starter.endsWith('.ts')) return { entry: new URL(path, starter), execArgv: [] };
  return {
    entry: new URL(path.replace(/\.js$/, '.ts'), starter),
    execArgv: ['--conditions=@quarry/source', '--import', `data:text/javascript,${encodeURIComponent(FIND_SOURCES)}`],
  };
}
