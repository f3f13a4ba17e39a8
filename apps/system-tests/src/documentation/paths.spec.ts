import { describe, expect, it } from 'vitest';
import { DOCUMENTS, listFiles, readDocument } from './read-documents.js';
import { findBrokenCitations, findLinkProblems, findMissingPathsAndTargets } from './path-problems.js';

describe('the paths of the documentation', () => {
  it.each(DOCUMENTS)('%s contains only paths and links that exist', (document) => {
    expect(findMissingPathsAndTargets(document, readDocument(document))).toEqual([]);
  });

  it.each(listFiles('docs/decisions/*.md', 'examples/*.md', 'bench/**/*.md', 'bench/*.md'))(
    '%s links only to files and sections that exist',
    (document) => {
      expect(findLinkProblems(document, readDocument(document))).toEqual([]);
    },
  );

  it('sources and manifests cite only documents and sections that exist', () => {
    const sources = listFiles('apps/*.ts', 'libs/*.ts', 'k8s/*.yaml', 'docker', 'scripts', 'eslint.config.mjs').filter(
      (name) => !name.endsWith('.spec.ts'),
    );
    expect(sources.length).toBeGreaterThan(500);
    const problems = sources.flatMap((name) =>
      findBrokenCitations(readDocument(name)).map((citation) => `${name} cites ${citation}`),
    );
    expect(problems).toEqual([]);
  });

  it('a document may contain paths that the build and the tests create', () => {
    expect(findMissingPathsAndTargets('CONTRIBUTING.md', '`apps/system-tests/dist/nothing`')).toEqual([]);
    expect(findMissingPathsAndTargets('CONTRIBUTING.md', '`apps/nothing/dist/pictures`')).toEqual([
      'apps/nothing/dist/pictures',
    ]);
  });

  it.each([
    ['`libs/nothing/src/index.ts`', 'libs/nothing/src/index.ts'],
    ['`NOTHING.md`', 'NOTHING.md'],
    ['[a page](nothing.md)', 'nothing.md'],
    ['[a section](glossary.md#nothing)', 'glossary.md#nothing'],
    ['[a section of this page](#nothing)', '#nothing'],
  ])('findMissingPathsAndTargets reports that the file or section in %s does not exist', (text, problem) => {
    expect(findMissingPathsAndTargets('docs/guide.md', text)).toEqual([problem]);
    expect(findBrokenCitations('/** Source: docs/glossary.md#nothing. */')).toEqual(['docs/glossary.md#nothing']);
  });
});
