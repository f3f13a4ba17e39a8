import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface DocumentationFile {
  readonly name: string;
  readonly content: string;
}

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** Quarry's own documentation for those who use it: not why it was built the way it is. */
export async function documentationFiles(): Promise<readonly DocumentationFile[]> {
  const inDocs = await readdir(`${REPOSITORY}docs`);
  const names = ['README.md', 'CONTRIBUTING.md', ...inDocs.map((name) => `docs/${name}`)];
  const pages = names.filter((name) => name.endsWith('.md')).sort();
  return Promise.all(pages.map(async (name) => ({ name, content: await readFile(`${REPOSITORY}${name}`, 'utf8') })));
}
