import { registerHooks, type ResolveFnOutput } from 'node:module';

const PACKAGE_FOLDER = '/node_modules/drizzle-orm/';

/**
 * Caches how imports of drizzle-orm are resolved, and resolves imports between its modules without reading its
 * package.json. Otherwise, Node parses the 180 kB of `exports` in that file for each import
 * (docs/decisions/0107-start-times.md).
 *
 * @returns a function that removes the cache; call it when all modules are loaded
 */
export function cacheDrizzleResolution(): () => void {
  const resolved = new Map<string, ResolveFnOutput>();
  const hooks = registerHooks({
    resolve(specifier, context, resolveNext) {
      const { conditions, parentURL } = context;
      if (!conditions.includes('import')) return resolveNext(specifier, context);
      if (specifier.startsWith('.') && parentURL?.includes(PACKAGE_FOLDER) === true)
        return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
      if (!/^drizzle-orm(\/|$)/.test(specifier)) return resolveNext(specifier, context);
      const found = resolved.get(specifier) ?? { ...resolveNext(specifier, context), shortCircuit: true };
      resolved.set(specifier, found);
      return found;
    },
  });
  return () => {
    hooks.deregister();
  };
}
