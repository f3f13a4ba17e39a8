import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface DocumentationFile {
  readonly name: string;
  readonly content: string;
}

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** Names of the files in `docs` that only developers of Quarry need. */
const FOR_DEVELOPERS = ['architecture.md'];

/** Reads Quarry's documentation for users, without the pages for developers and the decision records. */
export async function readUserDocumentation(): Promise<readonly DocumentationFile[]> {
  const docsFolder = await readdir(`${REPOSITORY}docs`);
  const userPages = docsFolder.filter((name) => !FOR_DEVELOPERS.includes(name));
  const names = ['README.md', ...userPages.map((name) => `docs/${name}`)];
  const pages = names.filter((name) => name.endsWith('.md')).sort();
  return Promise.all(pages.map(async (name) => ({ name, content: await readFile(`${REPOSITORY}${name}`, 'utf8') })));
}
