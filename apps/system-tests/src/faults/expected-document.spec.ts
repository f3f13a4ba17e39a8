import { describe, expect, it } from 'vitest';
import { ExpectedDocument } from './expected-document.js';

const FIRST = 'zqbabebibobux';
const SECOND = 'zqdadedidodux';

describe('the expected versions of a document', () => {
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

  it('contain the last acknowledged version only', () => {
    const document = begun();
    document.begin(SECOND).acknowledge();
    expect(settling(document)).toThrow('lost: terms.txt: expected zqdadedidodux, found nothing');
    expect(settling(document, FIRST)).toThrow(/^lost/);
    expect(settling(document, SECOND, SECOND)).toThrow(/^duplicated/);
    expect(settling(document, FIRST, SECOND)).toThrow(/^duplicated/);
    document.settle([SECOND]);
    expect(document.settled).toBe(SECOND);
  });

  it('contain all versions whose requests overlap', () => {
    for (const version of [FIRST, SECOND]) {
      const document = new ExpectedDocument('terms.txt');
      const [first, second] = [document.begin(FIRST), document.begin(SECOND)];
      first.acknowledge();
      second.acknowledge();
      document.settle([version]);
    }
  });

  it('are searched for individually, also after many later versions', () => {
    const document = begun();
    for (const version of ['zqa', 'zqb', 'zqc', SECOND]) document.begin(version).acknowledge();
    expect(document.wordsToSearch(1)).toEqual([SECOND, 'zqc']);
    document.disturb();
    expect(document.wordsToSearch(1)).toEqual([FIRST, 'zqa', 'zqb', 'zqc', SECOND]);
  });

  it('are empty after a deletion, also when later requests are cancelled', () => {
    const document = begun();
    document.begin(SECOND).acknowledge();
    document.disturb();
    document.beginDeletion().acknowledge();
    expect(document.isDeleted).toBe(true);
    for (const version of [FIRST, SECOND]) expect(settling(document, version)).toThrow(/^resurrected|^lost/);
    document.settle([]);
  });

  it('exclude the version before a deletion when later requests are cancelled', () => {
    const document = begun();
    document.beginDeletion().acknowledge();
    document.begin(SECOND).acknowledge();
    document.disturb();
    expect(document.isDeleted).toBe(false);
    expect(settling(document, FIRST)).toThrow(/^resurrected|^lost/);
    document.settle([]);
  });

  it('contain the versions before and after a cancelled synchronisation', () => {
    for (const version of [FIRST, SECOND]) {
      const document = begun();
      document.begin(SECOND).acknowledge();
      document.disturb();
      document.settle([version]);
    }
  });
});
