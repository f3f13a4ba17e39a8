import { existsSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { listFiles, readDocument, ROOT } from './read-documents.js';

const FOLDERS = 'apps|bench|clients|docker|docs|examples|k8s|libs|scripts';
const NAMED_PATH = new RegExp(`\`((?:(?:${FOLDERS})/[\\w./@-]*|[A-Z]+\\.md|[\\w.-]+\\.(?:mjs|json|ts|yaml)))\``, 'g');
const LINK = /\]\(([^)\s]+)\)/g;
const CITATION = /\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g;

/** The names of all files without their folders, because documents may contain a name alone, such as `config.ts`. */
const FILE_NAMES = new Set(listFiles().map((path) => basename(path)));

/** Returns the paths in a Markdown text that do not exist, and the links in the text whose targets do not exist. */
export function findMissingPathsAndTargets(document: string, text: string): readonly string[] {
  return [...listPathsInInlineCode(text).filter((path) => !isExistingPath(path)), ...findLinkProblems(document, text)];
}

/**
 * Returns the links of a Markdown text to files or sections that do not exist.
 *
 * @param document path of the file that contains the text, to which its links are relative
 */
export function findLinkProblems(document: string, text: string): readonly string[] {
  return [
    ...text
      .replace(/^```[^]*?^```$/gm, '')
      .replace(/`[^`]*`/g, '')
      .matchAll(LINK),
  ]
    .map(([, link = '']) => link)
    .filter((link) => !/^(https?|mailto):/.test(link))
    .filter((link) => !isExistingTarget(link.startsWith('#') ? `${document}${link}` : join(dirname(document), link)));
}

/**
 * Returns the references in source code, such as `docs/interface.md#events`, to documents or sections that do not
 * exist.
 */
export function findBrokenCitations(code: string): readonly string[] {
  return [...code.matchAll(CITATION)].map(([citation]) => citation).filter((citation) => !isExistingTarget(citation));
}

function listPathsInInlineCode(text: string): readonly string[] {
  return [...text.matchAll(NAMED_PATH)].map(([, path = '']) => path);
}

/** Returns whether a path exists, or is created by the build, the tests or `docker/make-secrets.sh`. */
function isExistingPath(path: string): boolean {
  if (!path.includes('/')) return FILE_NAMES.has(path);
  // The build and the tests write to `dist`, which a new checkout lacks. So only the folder that contains `dist` is
  // checked.
  const [stored = path] = path.split('/dist/');
  return path.startsWith('docker/secrets') || existsSync(join(ROOT, stored));
}

function isExistingTarget(link: string): boolean {
  const [path = '', anchor] = normalize(link).split('#');
  if (!existsSync(join(ROOT, path))) return false;
  return anchor === undefined || listHeadingAnchors(readDocument(path)).includes(anchor);
}

/** Returns the anchors that GitHub generates for the headings of a Markdown text. */
function listHeadingAnchors(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}
