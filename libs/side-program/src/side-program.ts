/** What a child process or a thread is started with. */
export interface SideProgram {
  readonly entry: URL;
  /** For node, beside those that the caller has. */
  readonly execArgv: readonly string[];
}

/** By itself, node does not look for the `.ts` behind the `.js` of an import. */
const FIND_SOURCES = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) =>
      next(name.startsWith('.') && context.parentURL?.endsWith('.ts') ? name.replace(/\\.js$/, '.ts') : name, context),
  });
`;

/**
 * A module to be run as a program of its own: compiled where the one that starts it is, else as its source, as in tests. Sources
 * are to need nothing but their types taken out, and no other workspace package.
 *
 * @param starter `import.meta.url` of the module that starts it @param path to the program from there, such as `./reader.js`
 */
export function sideProgram(starter: string, path: `./${string}.js`): SideProgram {
  if (!starter.endsWith('.ts')) return { entry: new URL(path, starter), execArgv: [] };
  return {
    entry: new URL(path.replace(/\.js$/, '.ts'), starter),
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(FIND_SOURCES)}`],
  };
}
