import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { SavedPage } from './saved-pages.js';

/** Describes the entry of one page in the file `ground-truth.json` of Zyte's article-extraction-benchmark. */
interface ArticleTruth {
  readonly url: string;
  readonly articleBody?: string;
}

const TRUTH = 'ground-truth.json';

/** Returns whether a folder has the format of Zyte's article-extraction-benchmark. */
export function hasArticlePages(folder: string): boolean {
  return existsSync(join(folder, TRUTH));
}

/**
 * Reads pages from a folder in the format of Zyte's article-extraction-benchmark: files `html/<id>.html.gz`, and a file
 * `ground-truth.json` for all pages.
 */
export async function readArticlePages(folder: string): Promise<readonly SavedPage[]> {
  const truths = JSON.parse(await readFile(join(folder, TRUTH), 'utf8')) as Record<string, ArticleTruth>; // the benchmark's format
  return Promise.all(
    Object.entries(truths).map(async ([name, { url, articleBody = '' }]) => {
      const html = gunzipSync(await readFile(join(folder, 'html', `${name}.html.gz`)));
      return { name, type: 'article', url, html, reference: articleBody };
    }),
  );
}
