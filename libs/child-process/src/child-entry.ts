/** Describes the program of a child process or a thread. */
export interface ChildEntry {
  readonly entry: URL;
  /** Node options to add to those of the caller. */
  readonly execArgv: readonly string[];
}

/** Registers a loader that resolves relative `.js` imports to `.ts` files, which Node does not. */
const FIND_SOURCES = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      next(name.startsWith('.') && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context),
  });
`;

/**
 * Resolves the entry of a child process or thread. The entry is compiled if the module that starts it is compiled, and a source
 * file in tests. Node strips the types of source files, so they must contain erasable syntax only.
 *
 * @param starter `import.meta.url` of the module that starts the entry
 * @param path to the entry from there, such as `./reader.js`
 */
export function resolveChildEntry(starter: string, path: `./${string}.js`): ChildEntry {
  if (!starter.endsWith('.ts')) return { entry: new URL(path, starter), execArgv: [] };
  return {
    entry: new URL(path.replace(/\.js$/, '.ts'), starter),
    execArgv: ['--conditions=@quarry/source', '--import', `data:text/javascript,${encodeURIComponent(FIND_SOURCES)}`],
  };
}
