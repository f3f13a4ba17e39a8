/// <reference lib="dom" />
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseHTML } from 'linkedom';

/** Holds the HTML of a page as its server sent it, and the main text that extractors should find in it. */
export interface SavedPage {
  readonly name: string;
  readonly type: string;
  readonly url: string;
  readonly html: Uint8Array;
  /** The main text of the page, marked by hand. */
  readonly reference: string;
  /** Texts of the table cells in the main text; undefined if the set of pages does not state them. */
  readonly cells?: readonly string[];
  readonly code?: readonly string[];
}

/** Describes the fields that this benchmark reads in a file `ground-truth/<name>.json` of the WCXB format. */
interface GroundTruth {
  readonly url: string;
  readonly _internal: { readonly page_type: { readonly primary: string } };
  readonly ground_truth: { readonly main_content: string | null };
}

/** Reads pages from a folder in the WCXB format: files `html/<name>.html.gz` and `ground-truth/<name>.json`. */
export async function readSavedPages(folder: string): Promise<readonly SavedPage[]> {
  const files = await readdir(join(folder, 'html'));
  return Promise.all(
    files.sort().map(async (file) => {
      const name = file.replace(/\.html\.gz$/, '');
      const truth = JSON.parse(await readFile(join(folder, 'ground-truth', `${name}.json`), 'utf8')) as GroundTruth; // the WCXB format
      const html = gunzipSync(await readFile(join(folder, 'html', file)));
      const reference = truth.ground_truth.main_content ?? '';
      return { name, type: truth._internal.page_type.primary, url: truth.url, html, reference };
    }),
  );
}

/**
 * Reads pages whose HTML marks the main text: the elements with the attribute `data-main`, without their descendants
 * with `data-not-main`. Removes these attributes from the returned HTML.
 *
 * @param folder path of a folder with files named `<type>-<name>.html`
 */
export async function readMarkedPages(folder: string): Promise<readonly SavedPage[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.html'));
  return Promise.all(
    files
      .sort()
      .map(async (file) => parseMarkedPage(file.replace('.html', ''), await readFile(join(folder, file), 'utf8'))),
  );
}

function parseMarkedPage(name: string, html: string): SavedPage {
  const { document } = parseHTML(html);
  for (const other of document.querySelectorAll('[data-not-main]')) other.remove();
  const main = [...document.querySelectorAll('[data-main]')];
  const listTexts = (selector: string): readonly string[] =>
    main.flatMap((part) => [...part.querySelectorAll(selector)].map((each) => each.textContent));
  return {
    name,
    type: name.split('-')[0] ?? name,
    url: `https://example.com/${name}.html`,
    html: Buffer.from(html.replace(/\sdata-(?:not-)?main(?=[\s>])/g, '')),
    reference: main.map((part) => part.outerHTML.replace(/<[^>]*>/g, ' ')).join('\n'),
    cells: listTexts('td, th').filter((cell) => cell.trim() !== ''),
    code: listTexts('pre'),
  };
}

/** Writes pages to a folder in the form in which bench/baselines/extraction.mjs reads them. */
export async function writeSavedPages(folder: string, pages: readonly SavedPage[]): Promise<void> {
  await Promise.all(['html', 'ground-truth'].map((name) => mkdir(join(folder, name), { recursive: true })));
  for (const { name, url, html } of pages) {
    await writeFile(join(folder, 'html', `${name}.html`), html);
    await writeFile(join(folder, 'ground-truth', `${name}.json`), JSON.stringify({ url }));
  }
}
