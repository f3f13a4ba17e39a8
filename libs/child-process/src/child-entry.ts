/** The program of a child process or a thread. */
export interface ChildEntry {
  readonly entry: URL;
  /** Options for Node, in addition to those of the caller. */
  readonly execArgv: readonly string[];
}

/** Node by itself does not resolve the `.js` of a relative import to a `.ts` file. */
const FIND_SOURCES = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      next(name.startsWith('.') && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context),
  });
`;

/**
 * Resolves a module that runs as a program of its own: compiled if the module that starts it is compiled, else its source, as in
 * tests. Node runs sources by removing their types, so they and the workspace packages they import contain erasable syntax only.
 *
 * @param starter `import.meta.url` of the module that starts it @param path to the program from there, such as `./reader.js`
 */
export function resolveChildEntry(starter: string, path: `./${string}.js`): ChildEntry {
  if (!starter.endsWith('.ts')) return { entry: new URL(path, starter), execArgv: [] };
  return {
    entry: new URL(path.replace(/\.js$/, '.ts'), starter),
    execArgv: ['--conditions=@quarry/source', '--import', `data:text/javascript,${encodeURIComponent(FIND_SOURCES)}`],
  };
}
