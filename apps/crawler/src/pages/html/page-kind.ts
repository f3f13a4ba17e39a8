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
/** Matches URLs of forums, whose threads are often declared as articles. */
const THREAD_URL = /[/.](?:forums?|community|discussions?|threads?|topics?|boards?|questions?)[/.]/i;
const PRODUCT_TYPE = 'Product';
const ARTICLE_MARKS = '[itemprop~="articleBody"], meta[property="article:published_time"]';

/**
 * States how a page declares that it is an article, such as news or a blog post. `weak` is Open Graph alone: some content management
 * systems call each page an article there.
 */
export type ArticleEvidence = 'strong' | 'weak';

/**
 * Finds out whether a page declares that it is an article. Threads and products are none. Must be called before scripts are removed.
 */
export function findArticleEvidence(document: Document, url: string): ArticleEvidence | undefined {
  const types = readSchemaTypes(document);
  if (THREAD_URL.test(url) || THREAD_TYPES.some((type) => types.has(type))) return undefined;
  if (ARTICLE_TYPES.some((type) => types.has(type))) return 'strong';
  if (types.has(PRODUCT_TYPE)) return undefined;
  if (document.querySelector(ARTICLE_MARKS) !== null) return 'strong';
  const openGraphType = document.querySelector('meta[property="og:type"]')?.getAttribute('content') ?? '';
  return /^\s*article\s*$/i.test(openGraphType) ? 'weak' : undefined;
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
