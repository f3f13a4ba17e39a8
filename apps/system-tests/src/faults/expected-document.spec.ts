import { describe, expect, it } from 'vitest';
import { ExpectedDocument } from './expected-document.js';

const FIRST = 'zqbabebibobux';
const SECOND = 'zqdadedidodux';

describe('the expected versions of a document', () => {
  const createBegunDocument = (): ExpectedDocument => {
    const document = new ExpectedDocument('terms.txt');
    document.beginChange(FIRST).acknowledge();
    document.verifyVersion([FIRST]);
    return document;
  };

  const tryToSettle =
    (document: ExpectedDocument, ...found: readonly string[]) =>
    (): void => {
      document.verifyVersion(found);
    };

  it('ExpectedDocument accepts only the last acknowledged version of a document', () => {
    const document = createBegunDocument();
    document.beginChange(SECOND).acknowledge();
    expect(tryToSettle(document)).toThrow('lost: terms.txt: expected zqdadedidodux, found nothing');
    expect(tryToSettle(document, FIRST)).toThrow(/^lost/);
    expect(tryToSettle(document, SECOND, SECOND)).toThrow(/^duplicated/);
    expect(tryToSettle(document, FIRST, SECOND)).toThrow(/^duplicated/);
    document.verifyVersion([SECOND]);
    expect(document.settledVersion).toBe(SECOND);
  });

  it('after overlapping change requests, ExpectedDocument accepts the version of any of them', () => {
    for (const version of [FIRST, SECOND]) {
      const document = new ExpectedDocument('terms.txt');
      const [first, second] = [document.beginChange(FIRST), document.beginChange(SECOND)];
      first.acknowledge();
      second.acknowledge();
      document.verifyVersion([version]);
    }
  });

  it('ExpectedDocument lists the words of the last version and of one earlier version, but after an incomplete sync the words of all versions', () => {
    const document = createBegunDocument();
    for (const version of ['zqa', 'zqb', 'zqc', SECOND]) document.beginChange(version).acknowledge();
    expect(document.listWordsToSearch(1)).toEqual([SECOND, 'zqc']);
    document.allowIncompleteSync();
    expect(document.listWordsToSearch(1)).toEqual([FIRST, 'zqa', 'zqb', 'zqc', SECOND]);
  });

  it('after a deletion, ExpectedDocument accepts no version, even if a sync before the deletion was incomplete', () => {
    const document = createBegunDocument();
    document.beginChange(SECOND).acknowledge();
    document.allowIncompleteSync();
    document.beginDeletion().acknowledge();
    expect(document.isDeleted).toBe(true);
    for (const version of [FIRST, SECOND]) expect(tryToSettle(document, version)).toThrow(/^resurrected|^lost/);
    document.verifyVersion([]);
  });

  it('if a sync after a deletion is incomplete, ExpectedDocument does not accept the version before the deletion', () => {
    const document = createBegunDocument();
    document.beginDeletion().acknowledge();
    document.beginChange(SECOND).acknowledge();
    document.allowIncompleteSync();
    expect(document.isDeleted).toBe(false);
    expect(tryToSettle(document, FIRST)).toThrow(/^resurrected|^lost/);
    document.verifyVersion([]);
  });

  it('if a sync is incomplete, ExpectedDocument accepts the version before or after the sync', () => {
    for (const version of [FIRST, SECOND]) {
      const document = createBegunDocument();
      document.beginChange(SECOND).acknowledge();
      document.allowIncompleteSync();
      document.verifyVersion([version]);
    }
  });
});
