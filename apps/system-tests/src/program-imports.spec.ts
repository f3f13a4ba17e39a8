import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The codes of TypeScript's errors for an import of a module or of a name that does not exist. */
const IMPORT_ERRORS = [2305, 2307, 2614, 2724];

describe('the programs in plain JavaScript', () => {
  // The build does not type-check these programs, so only this test notices a renamed function before a program runs.
  it('every program in plain JavaScript imports from the repository only files and names that exist', () => {
    expect(findMissingImports(listFiles('*.mjs').map((file) => `${ROOT}${file}`))).toEqual([]);
  });

  // TypeScript does not check these imports either, because the name of the imported file is computed.
  it('every spec that imports from a program imports only names that the program exports', async () => {
    const imports = listFiles('*.spec.ts').flatMap((file) =>
      findProgramImports(readFileSync(`${ROOT}${file}`, 'utf8')),
    );
    expect(imports.length).toBeGreaterThan(0);
    for (const { program, names } of imports)
      expect(Object.keys((await import(`${ROOT}${program}`)) as object)).toEqual(expect.arrayContaining([...names]));
  });
});

function listFiles(pattern: string): readonly string[] {
  return execFileSync('git', ['ls-files', pattern], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
}

/** Lists the names that a source text imports dynamically from programs such as `scripts/toolchain.mjs`, by program. */
function findProgramImports(
  source: string,
): readonly { readonly program: string; readonly names: readonly string[] }[] {
  const found = source.matchAll(/const \{ ([\w, ]+) \} = \(await import\([^;]*?(scripts\/[\w-]+\.mjs)'/g);
  return Array.from(found, ([, names = '', program = '']) => ({ program, names: names.split(', ') }));
}

/** Returns one line per relative import of a module or name that does not exist. The packages must have been built. */
function findMissingImports(files: readonly string[]): readonly string[] {
  const { NodeNext } = ts.ModuleKind;
  const program = ts.createProgram(files, { allowJs: true, checkJs: true, noEmit: true, module: NodeNext, types: [] });
  return files
    .flatMap((file) => program.getSemanticDiagnostics(program.getSourceFile(file)))
    .filter(({ code }) => IMPORT_ERRORS.includes(code))
    .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
    .filter((line) => /'"?(?:\.|\/)/.test(line));
}
