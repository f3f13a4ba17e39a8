import { isHomePageUrl } from '../../urls/page-url.js';
import { getNormalizedText, measureVisibleTextLength } from './parse-document.js';
import { measureProseLength } from './text-blocks.js';

/** Maximum text length of a login page, in characters. A longer page has content besides its login form. */
const MAX_LOGIN_PAGE_LENGTH = 300;
/** Selects parts that can contain a login form on any page, such as headers and dialogs. */
const OUTSIDE_MAIN_CONTENT =
  'header, nav, aside, footer, dialog, [role="dialog"], [hidden], [aria-hidden="true"], [style*="display:none" i], [style*="display: none" i]';

/** Returns whether the main part of a page has a password field. Must be called before forms are removed. */
export function hasPasswordField(document: Document): boolean {
  const fields = [...document.getElementsByTagName('input')];
  return fields.some((field) => isPasswordField(field) && field.closest(OUTSIDE_MAIN_CONTENT) === null);
}

/** Returns whether the main content is as short as that of a login page. */
export function isShortEnoughForLoginPage(root: Element): boolean {
  return getNormalizedText(root).length <= MAX_LOGIN_PAGE_LENGTH;
}

function isPasswordField(field: Element): boolean {
  return field.getAttribute('type')?.toLowerCase() === 'password';
}

/** Maximum text length of an error page, in characters. Articles about errors are longer. */
const MAX_ERROR_PAGE_LENGTH = 800;
const NOT_FOUND_PATTERNS = [
  /^(?:error\s*|http\s*|status\s*|fehler\s*)*404\b/i,
  /\b(?:404|error|page|url|address|document|content|resource)\b.{0,40}\b(?:not|cannot be|can't be|can’t be|couldn't be|couldn’t be) found\b/i,
  /^(?:page |file |error:? )?not found\b/i,
  /\bpage\b.{0,40}\b(?:does not|doesn't|doesn’t|no longer) exist/i,
  /\bcan(?:'|’)?t find (?:that|the|this|your) page\b/i,
  /\bseite\b.{0,40}\b(?:nicht gefunden|existiert nicht)/i,
  /\bpage\b.{0,20}\b(?:introuvable|non trouvée|n(?:'|’)existe pas)/i,
  /\bpágina\b.{0,20}\bno (?:encontrada|existe)|página não (?:encontrada|existe)/i,
  /\bpagina\b.{0,20}\b(?:non trovata|niet gevonden|no trobada)/i,
  /strona nie (?:została znaleziona|istnieje)|nie znaleziono strony/i,
  /sidan (?:hittades inte|kunde inte hittas)|siden (?:ble ikke funnet|blev ikke fundet)|sivua ei löyt/i,
  /страница не найдена|сторінку не знайдено/i,
  /(?:ページ|頁).{0,12}(?:見つかりません|存在しません)|页面不存在|找不到.{0,6}(?:页面|网页|頁面|網頁)|페이지를 찾을 수 없/,
];

/**
 * Returns whether a page is an error page with the status 200: short, with a title or heading such as "Page not found".
 */
export function isSoft404(title: string | undefined, root: Element): boolean {
  if (getNormalizedText(root).length > MAX_ERROR_PAGE_LENGTH) return false;
  const heading = root.ownerDocument.querySelector('h1, h2');
  return [title ?? '', getNormalizedText(heading)].some((words) =>
    NOT_FOUND_PATTERNS.some((pattern) => pattern.test(words)),
  );
}

const MOUNTS =
  '#root, #app, #__next, #__nuxt, #___gatsby, #svelte, app-root, [data-reactroot], [ng-app], [data-server-rendered]';
const SCRIPT_REQUIRED = /javascript/i;
/** Text length from which a page needs no rendering, in characters. */
const MAX_TEXT_LENGTH = 200;
const EMPTY_MOUNT_LENGTH = 50;

/** Holds features of a page that indicate that scripts create its text. */
interface ScriptDependence {
  readonly emptyMount: boolean;
  readonly requiresScript: boolean;
  readonly scripts: number;
}

/** Detects features that indicate that scripts create the text of a page. Must be called before scripts are removed. */
export function detectScriptDependence(document: Document): ScriptDependence {
  return {
    emptyMount: [...document.querySelectorAll(MOUNTS)].some(
      (mount) => measureVisibleTextLength(mount) < EMPTY_MOUNT_LENGTH,
    ),
    requiresScript: [...document.querySelectorAll('noscript')].some((noscript) =>
      SCRIPT_REQUIRED.test(getNormalizedText(noscript)),
    ),
    scripts: document.querySelectorAll('script').length,
  };
}

/**
 * Returns whether a page needs rendering in a browser.
 *
 * @param textLength length of the body's text without scripts and `noscript`, in characters
 */
export function needsBrowserRendering(dependence: ScriptDependence, textLength: number): boolean {
  if (dependence.scripts === 0 || textLength >= MAX_TEXT_LENGTH) return false;
  return textLength === 0 || dependence.emptyMount || dependence.requiresScript;
}

/**
 * Lists the schema.org types of articles from which boilerplate is removed. Types of technical and scholarly articles
 * are not listed, because captions of figures belong to their text.
 */
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
/**
 * Lists the schema.org types of forum threads. A page with such a type is no article, even if it also declares an
 * article type.
 */
const THREAD_TYPES = ['QAPage', 'DiscussionForumPosting'];
/** Matches URLs of forums, whose threads are often declared as articles. */
const THREAD_URL = /[/.](?:forums?|community|discussions?|threads?|topics?|boards?|questions?)[/.]/i;
/**
 * Lists the schema.org types of products and listings. A page with such a type is an article only if it has an article
 * type too.
 */
const PRODUCT_AND_LISTING_TYPES = ['Product', 'ItemPage', 'CollectionPage'];
/**
 * Lists the schema.org types of pages in general. A site that declares such a type also declares an article type for
 * its articles. Without an article type or article markup, the page is no article, even if Open Graph declares every
 * page of the site as one.
 */
const PAGE_TYPES = ['WebPage', 'AboutPage', 'ContactPage', 'FAQPage', 'ProfilePage'];
const ARTICLE_MARKS = '[itemprop~="articleBody"], meta[property="article:published_time"]';

/**
 * Describes how clearly a page declares that it is an article, such as news or a blog post. `strong`: schema.org types
 * or article markup declare it. `weak`: only Open Graph declares it, where some content management systems declare
 * every page as an article.
 */
export type ArticleDeclaration = 'strong' | 'weak';

/**
 * Finds out whether a page declares that it is an article. Returns undefined for forum threads, products, listings and
 * home pages. Must be called before scripts are removed.
 */
export function detectArticleDeclaration(document: Document, url: string): ArticleDeclaration | undefined {
  // Some systems declare the home page as an article, although it lists articles.
  if (isHomePageUrl(url)) return undefined;
  const types = readSchemaTypes(document);
  if (THREAD_URL.test(url) || THREAD_TYPES.some((type) => types.has(type))) return undefined;
  if (ARTICLE_TYPES.some((type) => types.has(type))) return 'strong';
  if (PRODUCT_AND_LISTING_TYPES.some((type) => types.has(type))) return undefined;
  if (document.querySelector(ARTICLE_MARKS) !== null) return 'strong';
  if (PAGE_TYPES.some((type) => types.has(type))) return undefined;
  const openGraphType = document.querySelector('meta[property="og:type"]')?.getAttribute('content') ?? '';
  return /^\s*article\s*$/i.test(openGraphType) && !isListOfArticles(document) ? 'weak' : undefined;
}

/**
 * Minimum share of the longest article element in the running text of all article elements. Below this share, the page
 * is a list of articles.
 */
const MIN_SHARE_OF_LONGEST_ARTICLE = 0.33;

function isListOfArticles(document: Document): boolean {
  const articles = [...document.querySelectorAll('article')].filter((article) => !isInsideArticle(article));
  const lengths = articles.map(measureProseLength);
  const sum = lengths.reduce((total, length) => total + length, 0);
  return lengths.length > 1 && Math.max(...lengths) < sum * MIN_SHARE_OF_LONGEST_ARTICLE;
}

function isInsideArticle(element: Element): boolean {
  return element.parentElement?.closest('article') != null;
}

/** Matches the types in JSON-LD. A regular expression also finds them in invalid JSON, which is common. */
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
