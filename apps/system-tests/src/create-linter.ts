import { fileURLToPath } from 'node:url';
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';

/** Path of the root folder of the repository, with a slash at the end. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Lints code as if it were the content of a file. @returns one line per violation: the rule and its message */
export type LintCode = (file: string, code: string) => Promise<readonly string[]>;

/** Creates a linter with the rules of the repository. */
export async function createLinter(): Promise<LintCode> {
  // The rule for layers reads Nx's project graph, and reports nothing if the graph does not exist.
  await createProjectGraphAsync();
  const eslint = new ESLint({ cwd: ROOT });
  return async (file, code) => {
    const results = await eslint.lintText(code, { filePath: `${ROOT}${file}` });
    return results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId ?? 'error'}: ${message}`));
  };
}
