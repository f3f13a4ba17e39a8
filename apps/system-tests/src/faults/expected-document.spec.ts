import { describe, expect, it } from 'vitest';
import { ExpectedDocument } from './expected-document.js';

const FIRST = 'zqbabebibobux';
const SECOND = 'zqdadedidodux';

describe('what may be found of a document', () => {
  const begun = (): ExpectedDocument => {
    const document = new ExpectedDocument('terms.txt');
    document.begin(FIRST).acknowledge();
    document.settle([FIRST]);
    return document;
  };

  const settling =
    (document: ExpectedDocument, ...found: readonly string[]) =>
    (): void => {
      document.settle(found);
    };

  it('is the version that was acknowledged last, exactly once', () => {
    const document = begun();
    document.begin(SECOND).acknowledge();
    expect(settling(document)).toThrow('lost: terms.txt: expected zqdadedidodux, found nothing');
    expect(settling(document, FIRST)).toThrow(/^lost/);
    expect(settling(document, SECOND, SECOND)).toThrow(/^duplicated/);
    expect(settling(document, FIRST, SECOND)).toThrow(/^duplicated/);
    document.settle([SECOND]);
    expect(document.settled).toBe(SECOND);
  });

  it('is any of the versions whose requests overlap', () => {
    for (const version of [FIRST, SECOND]) {
      const document = new ExpectedDocument('terms.txt');
      const [first, second] = [document.begin(FIRST), document.begin(SECOND)];
      first.acknowledge();
      second.acknowledge();
      document.settle([version]);
    }
  });

  it('is searched for in each of them, however many came after it', () => {
    const document = begun();
    for (const version of ['zqa', 'zqb', 'zqc', SECOND]) document.begin(version).acknowledge();
    expect(document.wordsToSearch(1)).toEqual([SECOND, 'zqc']);
    document.disturb();
    expect(document.wordsToSearch(1)).toEqual([FIRST, 'zqa', 'zqb', 'zqc', SECOND]);
  });

  it('is nothing after a deletion, whatever was cancelled', () => {
    const document = begun();
    document.begin(SECOND).acknowledge();
    document.disturb();
    document.beginDeletion().acknowledge();
    expect(document.isDeleted).toBe(true);
    for (const version of [FIRST, SECOND]) expect(settling(document, version)).toThrow(/^resurrected|^lost/);
    document.settle([]);
  });

  it('is not the version before a deletion, when what follows is cancelled', () => {
    const document = begun();
    document.beginDeletion().acknowledge();
    document.begin(SECOND).acknowledge();
    document.disturb();
    expect(document.isDeleted).toBe(false);
    expect(settling(document, FIRST)).toThrow(/^resurrected|^lost/);
    document.settle([]);
  });

  it('is the version before or after a synchronisation that is cancelled', () => {
    for (const version of [FIRST, SECOND]) {
      const document = begun();
      document.begin(SECOND).acknowledge();
      document.disturb();
      document.settle([version]);
    }
  });
});
