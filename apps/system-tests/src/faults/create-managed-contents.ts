import type { SourceContent } from './synchronised-source.js';
import { SynchronisedSource } from './synchronised-source.js';
import type { ExternalServers } from './external-servers.js';
import type { ManagedContent, CampaignContext } from './managed-content.js';
import { UploadedFile } from './uploaded-file.js';
import { UpsertedDocuments } from './upserted-documents.js';

const PAGES = 7;
const ITEMS = 9;

/** Creates at least one content of each kind: uploaded files, documents by API, a page, a site and a shop. */
export function createManagedContents(context: CampaignContext): readonly ManagedContent[] {
  const { external } = context;
  return [
    ...['guide.txt', 'terms.txt', 'manual.pdf'].map((name) => new UploadedFile(context, name)),
    new UpsertedDocuments(context, 'note', 6),
    new SynchronisedSource(context, 'a page', createPageSource(external)),
    new SynchronisedSource(context, 'a site', createSiteSource(external)),
    new SynchronisedSource(context, 'a shop', createShopSource(external)),
  ];
}

function createPageSource(external: ExternalServers): SourceContent {
  const path = '/page/alone';
  return {
    service: 'site',
    request: (names) => ({ ...names, type: 'web_page', config: { source_url: `${external.url}${path}` } }),
    documents: [path],
    publish: (document, version) => {
      publishPageVersion(external, document, version);
    },
    isIncremental: false,
  };
}

function createSiteSource(external: ExternalServers): SourceContent {
  return {
    service: 'site',
    request: (names) => ({ ...names, type: 'web_site', config: { source_url: `${external.url}/site/` } }),
    documents: Array.from({ length: PAGES }, (_, index) => `/site/${index}`),
    publish: (document, version) => {
      publishPageVersion(external, document, version);
    },
    isIncremental: false,
  };
}

function createShopSource(external: ExternalServers): SourceContent {
  return {
    service: 'shop',
    request: (names) => ({ ...names, type: 'item_listing', config: { url: `${external.url}/items`, page_size: 4 } }),
    documents: Array.from({ length: ITEMS }, (_, index) => `item ${index}`),
    publish: (document, version) => {
      if (version === undefined) external.items.delete(document);
      else external.items.set(document, createShopItem(document, version));
    },
    isIncremental: true,
  };
}

function publishPageVersion({ pages }: ExternalServers, path: string, version: string | undefined): void {
  if (version === undefined) pages.delete(path);
  else pages.set(path, `This page names ${version} as its version, and no other facts.`);
}

function createShopItem(
  id: string,
  version: string,
): { id: string; title: string; date_modified: string; description: string } {
  const description = `It names ${version} as its version.`;
  return { id, title: `The ${id}`, date_modified: new Date().toISOString(), description };
}
