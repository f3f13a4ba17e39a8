import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const RESOLUTION = new URL('./drizzle-resolution.ts', import.meta.url).href;

/**
 * Loads drizzle-orm in a new process.
 *
 * @param begin code that the process runs before it loads drizzle-orm
 * @returns the address and the format of each loaded module, in the order of loading
 */
async function listLoadedModules(begin: string): Promise<readonly string[]> {
  const program = `
    import { registerHooks } from 'node:module';
    ${begin}
    registerHooks({
      load(url, context, loadNext) {
        const loaded = loadNext(url, context);
        console.log(url, loaded.format);
        return loaded;
      },
    });
    await import('drizzle-orm');
    await import('drizzle-orm/node-postgres');
    await import('drizzle-orm/node-postgres/migrator');
    await import('drizzle-orm/pg-core');
  `;
  const cwd = new URL('.', import.meta.url);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd });
  return stdout.trim().split('\n');
}

describe('the resolution of modules for drizzle-kit', () => {
  it('after a call of cacheDrizzleResolution, an import of drizzle-orm loads the same modules as with the module resolution of Node.js', async () => {
    const [plain, cached] = await Promise.all([
      listLoadedModules(''),
      listLoadedModules(`
      const { cacheDrizzleResolution } = await import('${RESOLUTION}');
      cacheDrizzleResolution();
    `),
    ]);
    expect(plain.length).toBeGreaterThan(100);
    expect(cached).toEqual(plain);
  });
});
