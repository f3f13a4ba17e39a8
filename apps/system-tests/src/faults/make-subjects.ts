import type { SourceContent } from './synchronised-source.js';
import { SynchronisedSource } from './synchronised-source.js';
import type { OutsideWorld } from './outside-world.js';
import type { Subject, Workplace } from './subjects.js';
import { UploadedFile } from './uploaded-file.js';
import { UpsertedDocuments } from './upserted-documents.js';

const PAGES = 7;
const ITEMS = 9;

/** Creates at least one of each kind of content in a datastore. */
export function makeSubjects(workplace: Workplace): readonly Subject[] {
  const { outside } = workplace;
  return [
    ...['guide.txt', 'terms.txt', 'manual.pdf'].map((name) => new UploadedFile(workplace, name)),
    new UpsertedDocuments(workplace, 'note', 6),
    new SynchronisedSource(workplace, 'a page', createPageSource(outside)),
    new SynchronisedSource(workplace, 'a site', createSiteSource(outside)),
    new SynchronisedSource(workplace, 'a shop', createShopSource(outside)),
  ];
}

function createPageSource(outside: OutsideWorld): SourceContent {
  const path = '/page/alone';
  return {
    request: (names) => ({ ...names, type: 'web_page', config: { source_url: `${outside.url}${path}` } }),
    documents: [path],
    publish: (document, version) => {
      publishPage(outside, document, version);
    },
    isIncremental: false,
  };
}

function createSiteSource(outside: OutsideWorld): SourceContent {
  return {
    request: (names) => ({ ...names, type: 'web_site', config: { source_url: `${outside.url}/site/` } }),
    documents: Array.from({ length: PAGES }, (_, index) => `/site/${index}`),
    publish: (document, version) => {
      publishPage(outside, document, version);
    },
    isIncremental: false,
  };
}

function createShopSource(outside: OutsideWorld): SourceContent {
  return {
    request: (names) => ({ ...names, type: 'item_listing', config: { url: `${outside.url}/items`, page_size: 4 } }),
    documents: Array.from({ length: ITEMS }, (_, index) => `item ${index}`),
    publish: (document, version) => {
      if (version === undefined) outside.items.delete(document);
      else outside.items.set(document, getItem(document, version));
    },
    isIncremental: true,
  };
}

function publishPage({ pages }: OutsideWorld, path: string, version: string | undefined): void {
  if (version === undefined) pages.delete(path);
  else pages.set(path, `This page names ${version} as its version, and no other facts.`);
}

function getItem(
  id: string,
  version: string,
): { id: string; title: string; date_modified: string; description: string } {
  const description = `It names ${version} as its version.`;
  return { id, title: `The ${id}`, date_modified: new Date().toISOString(), description };
}
