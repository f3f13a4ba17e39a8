import { existsSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { listFiles, readDocument, ROOT } from './read-documents.js';

const FOLDERS = 'apps|bench|clients|docker|docs|examples|k8s|libs|scripts';
const NAMED_PATH = new RegExp(`\`((?:(?:${FOLDERS})/[\\w./@-]*|[A-Z]+\\.md|[\\w.-]+\\.(?:mjs|json|ts|yaml)))\``, 'g');
const LINK = /\]\(([^)\s]+)\)/g;
const CITATION = /\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g;

/** The names of all files. A document may contain a file name without its folder, such as `config.ts`, which every app has. */
const FILE_NAMES = new Set(listFiles().map((path) => basename(path)));

/** Returns the paths and links of a Markdown text that do not exist. */
export function findPathProblems(document: string, text: string): readonly string[] {
  return [...listNamedPaths(text).filter((path) => !isExistingPath(path)), ...findLinkProblems(document, text)];
}

/** Returns the links of a Markdown text to files or sections that do not exist. */
export function findLinkProblems(document: string, text: string): readonly string[] {
  return [
    ...text
      .replace(/^```[^]*?^```$/gm, '')
      .replace(/`[^`]*`/g, '')
      .matchAll(LINK),
  ]
    .map(([, link = '']) => link)
    .filter((link) => !/^(https?|mailto):/.test(link))
    .filter((link) => !isTarget(link.startsWith('#') ? `${document}${link}` : join(dirname(document), link)));
}

/** Returns the citations of documents in a source text that do not exist, such as `docs/interface.md#events`. */
export function findCitationProblems(source: string): readonly string[] {
  return [...source.matchAll(CITATION)].map(([citation]) => citation).filter((citation) => !isTarget(citation));
}

function listNamedPaths(text: string): readonly string[] {
  return [...text.matchAll(NAMED_PATH)].map(([, path = '']) => path);
}

/** Returns whether a path exists. `docker/secrets` counts, because `docker/make-secrets.sh` writes it. */
function isExistingPath(path: string): boolean {
  if (!path.includes('/')) return FILE_NAMES.has(path);
  // The build and the tests write below `dist`. A new checkout has none, only the folder of the package.
  const [stored = path] = path.split('/dist/');
  return path.startsWith('docker/secrets') || existsSync(join(ROOT, stored));
}

function isTarget(link: string): boolean {
  const [path = '', anchor] = normalize(link).split('#');
  if (!existsSync(join(ROOT, path))) return false;
  return anchor === undefined || getAnchors(readDocument(path)).includes(anchor);
}

/** Returns the anchors that GitHub gives to the headings of a text. */
function getAnchors(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}
