import { readAddress } from '../../addresses/read-address.js';
import { decodeWebText } from '../decode-web-text.js';
import { asksForPassword, isLittle } from './login-page.js';
import { mainContent, type Extraction } from './main-content.js';
import { parseDocument, textOf } from './parse-document.js';
import { readHead } from './read-head.js';
import { readLinks } from './read-links.js';
import { needsRendering, scriptSigns } from './script-built.js';
import { saysMissing } from './soft-404.js';
import { toMarkdown } from './to-markdown.js';

export interface HtmlInput {
  readonly bytes: Uint8Array;
  /** What `Content-Type` says of the charset. */
  readonly charset: string | undefined;
  /** The page's address. */
  readonly address: string;
  /** The crawler's name, for meta tags of that name. */
  readonly productToken: string;
}

/** A page's text and what it says of itself. All addresses are absolute, as the page writes them. */
export interface HtmlPage {
  readonly markdown: string;
  readonly extraction: Extraction;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly language: string | undefined;
  readonly author: string | undefined;
  /** ISO 8601. */
  readonly published: string | undefined;
  readonly modified: string | undefined;
  /** The page's own choice of address; undefined when it makes none. */
  readonly canonical: string | undefined;
  /** Where it sends its readers on. */
  readonly refresh: string | undefined;
  /** Contents of its `robots` meta tags. */
  readonly robots: readonly string[];
  readonly links: readonly string[];
  /** Its text is put in by scripts, so that there is none to read yet. */
  readonly needsRendering: boolean;
  /** It says that there is no such page. */
  readonly saysMissing: boolean;
  /** It is there to log in, and for nothing else. */
  readonly isLoginPage: boolean;
}

export function readHtml({ bytes, charset, address, productToken }: HtmlInput): HtmlPage {
  const document = parseDocument(decodeWebText(bytes, charset).text);
  const head = readHead(document, productToken);
  const base = URL.parse(head.base ?? '', address)?.href ?? address;
  const links = readLinks(document, base);
  const signs = scriptSigns(document);
  const wantsPassword = asksForPassword(document);
  const main = mainContent(document);
  return {
    markdown: toMarkdown(main.root, base),
    extraction: main.extraction,
    title: head.title,
    description: head.description,
    language: head.language,
    author: head.author ?? main.author,
    published: head.published ?? main.published,
    modified: head.modified,
    canonical: absolute(head.canonical, base),
    refresh: absolute(head.refresh, base),
    robots: head.robots,
    links,
    needsRendering: needsRendering(signs, textOf(document.body).length),
    saysMissing: saysMissing(head.title, main.root),
    isLoginPage: wantsPassword && isLittle(main.root),
  };
}

function absolute(address: string | undefined, base: string): string | undefined {
  return address === undefined ? undefined : readAddress(address, base);
}
