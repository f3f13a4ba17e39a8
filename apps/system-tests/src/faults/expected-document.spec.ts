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

  it('an expected document has only its last acknowledged version', () => {
    const document = createBegunDocument();
    document.beginChange(SECOND).acknowledge();
    expect(tryToSettle(document)).toThrow('lost: terms.txt: expected zqdadedidodux, found nothing');
    expect(tryToSettle(document, FIRST)).toThrow(/^lost/);
    expect(tryToSettle(document, SECOND, SECOND)).toThrow(/^duplicated/);
    expect(tryToSettle(document, FIRST, SECOND)).toThrow(/^duplicated/);
    document.verifyVersion([SECOND]);
    expect(document.settledVersion).toBe(SECOND);
  });

  it('after overlapping change requests, an expected document may have the version of any of them', () => {
    for (const version of [FIRST, SECOND]) {
      const document = new ExpectedDocument('terms.txt');
      const [first, second] = [document.beginChange(FIRST), document.beginChange(SECOND)];
      first.acknowledge();
      second.acknowledge();
      document.verifyVersion([version]);
    }
  });

  it('an expected document lists the words of each allowed version, even after many later versions', () => {
    const document = createBegunDocument();
    for (const version of ['zqa', 'zqb', 'zqc', SECOND]) document.beginChange(version).acknowledge();
    expect(document.listWordsToSearch(1)).toEqual([SECOND, 'zqc']);
    document.allowIncompleteSync();
    expect(document.listWordsToSearch(1)).toEqual([FIRST, 'zqa', 'zqb', 'zqc', SECOND]);
  });

  it('an expected document has no version after a deletion, even if later requests are cancelled', () => {
    const document = createBegunDocument();
    document.beginChange(SECOND).acknowledge();
    document.allowIncompleteSync();
    document.beginDeletion().acknowledge();
    expect(document.isDeleted).toBe(true);
    for (const version of [FIRST, SECOND]) expect(tryToSettle(document, version)).toThrow(/^resurrected|^lost/);
    document.verifyVersion([]);
  });

  it('an expected document does not return to the version before a deletion if later requests are cancelled', () => {
    const document = createBegunDocument();
    document.beginDeletion().acknowledge();
    document.beginChange(SECOND).acknowledge();
    document.allowIncompleteSync();
    expect(document.isDeleted).toBe(false);
    expect(tryToSettle(document, FIRST)).toThrow(/^resurrected|^lost/);
    document.verifyVersion([]);
  });

  it('an expected document may have the version before or after a cancelled synchronisation', () => {
    for (const version of [FIRST, SECOND]) {
      const document = createBegunDocument();
      document.beginChange(SECOND).acknowledge();
      document.allowIncompleteSync();
      document.verifyVersion([version]);
    }
  });
});
