import { getNormalizedText } from './parse-document.js';

/** Lists the schema.org types of articles. Technical and scholarly articles keep more, such as the captions of their figures. */
const ARTICLE_TYPES = [
  'Article',
  'NewsArticle',
  'ReportageNewsArticle',
  'OpinionNewsArticle',
  'AnalysisNewsArticle',
  'ReviewNewsArticle',
  'BackgroundNewsArticle',
  'AskPublicNewsArticle',
  'SatiricalArticle',
  'AdvertiserContentArticle',
  'SocialMediaPosting',
  'BlogPosting',
  'LiveBlogPosting',
];
/** Lists types of pages whose text is not a single article, although they can declare an article too. */
const THREAD_TYPES = ['QAPage', 'DiscussionForumPosting'];
const PRODUCT_TYPE = 'Product';

/**
 * Returns whether a page declares that it is an article, such as news or a blog post: by Open Graph or schema.org. A thread or a
 * product is not an article. Must be called before scripts are removed.
 */
export function isArticlePage(document: Document): boolean {
  const types = readSchemaTypes(document);
  if (THREAD_TYPES.some((type) => types.has(type))) return false;
  if (ARTICLE_TYPES.some((type) => types.has(type))) return true;
  if (types.has(PRODUCT_TYPE)) return false;
  if (document.querySelector('[itemprop~="articleBody"], meta[property="article:published_time"]') !== null)
    return true;
  return /^article$/i.test(document.querySelector('meta[property="og:type"]')?.getAttribute('content')?.trim() ?? '');
}

/** Matches the types in JSON-LD. A search finds them also where the JSON is invalid, as on many pages. */
const LINKED_DATA_TYPE = /"@type"\s*:\s*(?:("[^"]{0,200}")|\[([^\]]{0,500})\])/g;
const TYPE_NAME = /"(?:[^"]*[/#:])?(\w+)"/g;

/** Reads the schema.org types of a page from its JSON-LD and its microdata. */
function readSchemaTypes(document: Document): ReadonlySet<string> {
  const types = new Set<string>();
  for (const element of document.querySelectorAll('[itemtype]')) {
    for (const url of (element.getAttribute('itemtype') ?? '').split(/\s+/)) types.add(url.replace(/^.*[/#]/, ''));
  }
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    for (const [, one, list] of getNormalizedText(script).matchAll(LINKED_DATA_TYPE)) {
      for (const [, type = ''] of (one ?? list ?? '').matchAll(TYPE_NAME)) types.add(type);
    }
  }
  return types;
}
