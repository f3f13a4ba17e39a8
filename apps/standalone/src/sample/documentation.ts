import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface DocumentationFile {
  readonly name: string;
  readonly content: string;
}

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** Reads Quarry's documentation for users, without the decision records. */
export async function readDocumentation(): Promise<readonly DocumentationFile[]> {
  const docsFolder = await readdir(`${REPOSITORY}docs`);
  const names = ['README.md', 'CONTRIBUTING.md', ...docsFolder.map((name) => `docs/${name}`)];
  const pages = names.filter((name) => name.endsWith('.md')).sort();
  return Promise.all(pages.map(async (name) => ({ name, content: await readFile(`${REPOSITORY}${name}`, 'utf8') })));
}
