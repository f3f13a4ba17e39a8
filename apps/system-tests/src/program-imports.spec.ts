import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The codes of TypeScript's errors for an import of a module or of a name that does not exist. */
const IMPORT_ERRORS = [2305, 2307, 2614, 2724];

describe('the programs in plain JavaScript', () => {
  // The build does not type-check these programs, so only this test notices a renamed function before a program runs.
  it('every program in plain JavaScript imports only files and names of the repository that exist', () => {
    const files = execFileSync('git', ['ls-files', '*.mjs'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    expect(findMissingImports(files.map((file) => `${ROOT}${file}`))).toEqual([]);
  });
});

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
