import { describe, expect, it } from 'vitest';
import { ExpectedDocument } from './expected-document.js';

const FIRST = 'zqbabebibobux';
const SECOND = 'zqdadedidodux';

describe('the expected versions of a document', () => {
  const createBegunDocument = (): ExpectedDocument => {
    const document = new ExpectedDocument('terms.txt');
    document.beginChange(FIRST).acknowledge();
    document.settleVersion([FIRST]);
    return document;
  };

  const tryToSettle =
    (document: ExpectedDocument, ...found: readonly string[]) =>
    (): void => {
      document.settleVersion(found);
    };

  it('only the last acknowledged version is expected', () => {
    const document = createBegunDocument();
    document.beginChange(SECOND).acknowledge();
    expect(tryToSettle(document)).toThrow('lost: terms.txt: expected zqdadedidodux, found nothing');
    expect(tryToSettle(document, FIRST)).toThrow(/^lost/);
    expect(tryToSettle(document, SECOND, SECOND)).toThrow(/^duplicated/);
    expect(tryToSettle(document, FIRST, SECOND)).toThrow(/^duplicated/);
    document.settleVersion([SECOND]);
    expect(document.settled).toBe(SECOND);
  });

  it('all versions whose requests overlap are expected', () => {
    for (const version of [FIRST, SECOND]) {
      const document = new ExpectedDocument('terms.txt');
      const [first, second] = [document.beginChange(FIRST), document.beginChange(SECOND)];
      first.acknowledge();
      second.acknowledge();
      document.settleVersion([version]);
    }
  });

  it('each expected version is searched for individually, even after many later versions', () => {
    const document = createBegunDocument();
    for (const version of ['zqa', 'zqb', 'zqc', SECOND]) document.beginChange(version).acknowledge();
    expect(document.listWordsToSearch(1)).toEqual([SECOND, 'zqc']);
    document.allowIncompleteSync();
    expect(document.listWordsToSearch(1)).toEqual([FIRST, 'zqa', 'zqb', 'zqc', SECOND]);
  });

  it('no version is expected after a deletion, even when later requests are cancelled', () => {
    const document = createBegunDocument();
    document.beginChange(SECOND).acknowledge();
    document.allowIncompleteSync();
    document.beginDeletion().acknowledge();
    expect(document.isDeleted).toBe(true);
    for (const version of [FIRST, SECOND]) expect(tryToSettle(document, version)).toThrow(/^resurrected|^lost/);
    document.settleVersion([]);
  });

  it('the version before a deletion is not expected when later requests are cancelled', () => {
    const document = createBegunDocument();
    document.beginDeletion().acknowledge();
    document.beginChange(SECOND).acknowledge();
    document.allowIncompleteSync();
    expect(document.isDeleted).toBe(false);
    expect(tryToSettle(document, FIRST)).toThrow(/^resurrected|^lost/);
    document.settleVersion([]);
  });

  it('the versions before and after a cancelled synchronisation are expected', () => {
    for (const version of [FIRST, SECOND]) {
      const document = createBegunDocument();
      document.beginChange(SECOND).acknowledge();
      document.allowIncompleteSync();
      document.settleVersion([version]);
    }
  });
});
