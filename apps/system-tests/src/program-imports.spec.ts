import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** TypeScript's errors for an import of a module or of a name that does not exist. */
const IMPORT_ERRORS = [2305, 2307, 2614, 2724];

describe('the programs in plain JavaScript', () => {
  // The compiler does not check them, so a renamed function would be noticed only when a program runs.
  it('import only files and names of the repository that exist', () => {
    const files = execFileSync('git', ['ls-files', '*.mjs'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    expect(findMissingImports(files.map((file) => `${ROOT}${file}`))).toEqual([]);
  });
});

/** Lists the relative imports of programs that do not exist. Needs the built packages. */
function findMissingImports(files: readonly string[]): readonly string[] {
  const { NodeNext } = ts.ModuleKind;
  const program = ts.createProgram(files, { allowJs: true, checkJs: true, noEmit: true, module: NodeNext, types: [] });
  return files
    .flatMap((file) => program.getSemanticDiagnostics(program.getSourceFile(file)))
    .filter(({ code }) => IMPORT_ERRORS.includes(code))
    .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
    .filter((line) => /'"?(?:\.|\/)/.test(line));
}
