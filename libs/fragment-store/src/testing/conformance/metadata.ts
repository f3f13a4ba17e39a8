import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentRef, FragmentStore } from '../../fragment-store.js';
import type { FragmentScope } from '../../fragment-scope.js';
import { MAX_METADATA_VALUES } from '../../metadata-fields.js';
import type { MetadataFilter } from '../../metadata-filter.js';
import { isMetadataMatch } from '../is-metadata-match.js';
import { listTexts, type OpenedFragmentStore } from '../opened-store.js';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleFragment,
  createSampleVector,
  createSampleVersion,
  createScope,
} from '../sample-documents.js';
import { AWKWARD_TEXTS, sampleFilter, sampleMetadata, type Metadata } from '../sample-metadata.js';

/** Asserts that filters on metadata select exactly the documents that the reference evaluator selects. */
export function describeMetadata(opened: () => OpenedFragmentStore): void {
  const getStore = (): FragmentStore => opened().store;
  const writeDocument = (document: DocumentRef, name: string, metadata?: Metadata, generation = 1): Promise<void> =>
    getStore().replaceDocument(
      SAMPLE_COLLECTION,
      createSampleVersion(document, [`heron ${name}`], { generation, ...(metadata === undefined ? {} : { metadata }) }),
    );

  /**
   * Writes one document for each metadata in `all` to a new datastore. The name of a document is its index in `all`.
   */
  const writeAll = async (all: readonly (Metadata | undefined)[]): Promise<DocumentRef> => {
    const document = createSampleDocument();
    const writeMetadata = (metadata: Metadata | undefined, at: number): Promise<void> =>
      writeDocument({ ...document, documentKey: String(at) }, String(at), metadata);
    await Promise.all(all.map(writeMetadata));
    return document;
  };

  /**
   * Returns the names of the documents that a search finds. Asserts that lexical and dense search find the same
   * documents.
   */
  const findNames = async (document: DocumentRef, parts: Partial<FragmentScope>): Promise<string[]> => {
    const scope = createScope(document, parts);
    const byWords = listTexts(await getStore().searchLexical(SAMPLE_COLLECTION, scope, { text: 'heron' }, 200)).sort();
    const byVector = listTexts(
      await getStore().searchDense(SAMPLE_COLLECTION, scope, createSampleVector('heron'), 200),
    ).sort();
    expect(byVector).toEqual(byWords);
    return byWords.map((text) => text.replace('heron ', ''));
  };

  const selectNames = (filter: MetadataFilter, all: readonly (Metadata | undefined)[]): string[] =>
    all.flatMap((metadata, at) => (isMetadataMatch(filter, metadata) ? String(at) : [])).sort();

  describe('a filter on metadata', () => {
    it('a metadata filter selects the same documents as the reference evaluator, before and after the metadata are indexed', async () => {
      const all = [undefined, ...fc.sample(sampleMetadata, 40)];
      const document = await writeAll(all);
      const agrees = fc.asyncProperty(sampleFilter, async (filter) => {
        expect(await findNames(document, { metadata: filter })).toEqual(selectNames(filter, all));
      });
      await fc.assert(agrees, { numRuns: 60 });
      await opened().waitUntilIndexed?.();
      await fc.assert(agrees, { numRuns: 60 });
    });

    it.each<readonly [MetadataFilter, string[]]>([
      [{ type: 'eq', key: 'size', value: 5 }, ['number', 'numbers']],
      [{ type: 'eq', key: 'size', value: '5' }, ['text']],
      [{ type: 'eq', key: 'size', value: true }, ['flag']],
      [{ type: 'ne', key: 'size', value: 5 }, ['flag', 'missing', 'nested', 'none', 'text']],
      [{ type: 'in', key: 'size', value: [5, true] }, ['flag', 'number', 'numbers']],
      [{ type: 'in', key: 'size', value: [] }, []],
      [{ type: 'nin', key: 'size', value: ['5', 7] }, ['flag', 'missing', 'nested', 'none', 'number']],
      [{ type: 'nin', key: 'size', value: [] }, ['flag', 'missing', 'nested', 'none', 'number', 'numbers', 'text']],
      [{ type: 'gte', key: 'size', value: 5 }, ['number', 'numbers']],
      [{ type: 'gt', key: 'size', value: 5 }, ['numbers']],
      [{ type: 'lte', key: 'size', value: 5 }, ['number', 'numbers']],
      [{ type: 'lt', key: 'size', value: 5 }, []],
      [{ type: 'and', filters: [] }, ['flag', 'missing', 'nested', 'none', 'number', 'numbers', 'text']],
      [{ type: 'or', filters: [] }, []],
    ])(
      'a filter treats missing keys, values of another type, and lists as `MetadataComparison` defines: %j',
      async (filter, expected) => {
        const document = createSampleDocument();
        const all = {
          ...{ number: { size: 5 }, text: { size: '5' }, flag: { size: true }, numbers: { size: [5, 7] } },
          ...{ nested: { size: { a: 5 } }, none: { size: null }, missing: { other: 5 } },
        };
        for (const [name, metadata] of Object.entries(all))
          await writeDocument({ ...document, documentKey: name }, name, metadata);
        expect(await findNames(document, { metadata: filter })).toEqual(expected);
      },
    );

    it.each<readonly [MetadataFilter, string[]]>([
      [{ type: 'gt', key: 'on', value: '2026-11-24' }, ['evening', 'two']],
      [{ type: 'gte', key: 'on', value: '2026-11-24' }, ['day', 'evening', 'two']],
      [{ type: 'lt', key: 'on', value: '2026-11-24T00:30:00Z' }, ['day', 'two']],
      [{ type: 'lte', key: 'on', value: '2026-11-24T20:00+01:00' }, ['day', 'evening', 'two']],
      [{ type: 'eq', key: 'on', value: '2026-11-24T19:00:00Z' }, ['evening']],
      [{ type: 'eq', key: 'on', value: '2026-11-24T20:00:00+01:00' }, []],
      [{ type: 'gt', key: 'on', value: 0 }, ['number']],
      [{ type: 'gt', key: 'on', value: 'word' }, []],
    ])(
      'a filter orders dates by their instant, but tests dates for equality by their text: %j',
      async (filter, expected) => {
        const document = createSampleDocument();
        const all = {
          ...{ day: '2026-11-24', evening: '2026-11-24T19:00:00Z', two: ['2020-01-01', 'word', '2030-01-01'] },
          ...{ word: 'word', number: Date.parse('2026-11-24T19:00:00Z'), impossible: '2026-02-30', flag: true },
        };
        for (const [name, on] of Object.entries(all))
          await writeDocument({ ...document, documentKey: name }, name, { on });
        expect(await findNames(document, { metadata: filter })).toEqual(expected);
      },
    );

    it.each(AWKWARD_TEXTS)('a filter treats the key and the value %j as data, not as query syntax', async (text) => {
      const own = JSON.parse(JSON.stringify([[text, text]])) as [string, unknown][];
      const document = await writeAll([Object.fromEntries(own), { plain: 'plain' }, { [`${text}.`]: `${text}.` }]);
      expect(await findNames(document, { metadata: { type: 'eq', key: text, value: text } })).toEqual(['0']);
      expect(await findNames(document, { metadata: { type: 'ne', key: text, value: text } })).toEqual(['1', '2']);
      expect(await findNames(document, { metadata: { type: 'in', key: 'plain', value: [text, 'plain'] } })).toEqual([
        '1',
      ]);
      expect(await findNames(document, { metadata: { type: 'gt', key: text, value: 0 } })).toEqual([]);
    });

    it('a search finds only documents that match both the metadata filter and the other filters of its scope', async () => {
      const document = createSampleDocument();
      const writeDocumentOfSize = (documentKey: string, datasourceId: string, size: number): Promise<void> =>
        writeDocument({ ...document, documentKey, datasourceId }, documentKey, { size });
      await writeDocumentOfSize('a', 'one', 1);
      await writeDocumentOfSize('b', 'one', 2);
      await writeDocumentOfSize('c', 'two', 2);
      const metadata: MetadataFilter = { type: 'eq', key: 'size', value: 2 };
      expect(await findNames(document, { metadata })).toEqual(['b', 'c']);
      expect(await findNames(document, { metadata, datasourceIds: ['one'] })).toEqual(['b']);
      expect(await findNames(document, { metadata, customIds: ['x'] })).toEqual([]);
      const excluded = { datasourceIds: ['two'], documents: [] };
      expect(await findNames(document, { metadata, excluded })).toEqual(['b']);
      const other = { ...document, organizationId: `${document.organizationId}-other` };
      await writeDocument(other, 'theirs', { size: 2 });
      expect(await findNames(document, { metadata })).toEqual(['b', 'c']);
      expect(await findNames(document, { metadata: { type: 'eq', key: 'size', value: 1 } })).toEqual(['a']);
    });

    it('a filter compares the metadata of the newest version of a document', async () => {
      const document = createSampleDocument();
      await writeDocument(document, 'old', { size: 1 });
      await writeDocument(document, 'new', { size: 2 }, 2);
      expect(await findNames(document, { metadata: { type: 'eq', key: 'size', value: 1 } })).toEqual([]);
      expect(await findNames(document, { metadata: { type: 'eq', key: 'size', value: 2 } })).toEqual(['new']);
    });

    it.each(['indexed', 'not indexed'])(
      'a search finds the few fragments that match a metadata filter among many that rank higher (fragments %s)',
      async (kind) => {
        const document = createSampleDocument();
        const vector = createSampleVector('heron');
        const crowd = Array.from({ length: 600 }, (_, at) =>
          createSampleFragment(`heron heron ${String(at)}`, { vector }),
        );
        await getStore().replaceDocument(
          SAMPLE_COLLECTION,
          createSampleVersion({ ...document, documentKey: 'crowd' }, [], {
            fragments: crowd,
            metadata: { amount: 'many' },
          }),
        );
        for (const rare of ['x', 'y', 'z'])
          await writeDocument({ ...document, documentKey: rare }, `${rare} and other words`, { amount: 'few' });
        if (kind === 'indexed') await opened().waitUntilIndexed?.();
        const few = createScope(document, { metadata: { type: 'eq', key: 'amount', value: 'few' } });
        const many = createScope(document, { metadata: { type: 'ne', key: 'amount', value: 'few' } });
        expect(await getStore().searchLexical(SAMPLE_COLLECTION, few, { text: 'heron' }, 5)).toHaveLength(3);
        expect(await getStore().searchDense(SAMPLE_COLLECTION, few, vector, 5)).toHaveLength(3);
        expect(await getStore().searchLexical(SAMPLE_COLLECTION, many, { text: 'heron' }, 5)).toHaveLength(5);
        expect(await getStore().searchDense(SAMPLE_COLLECTION, many, vector, 5)).toHaveLength(5);
      },
    );

    it('a metadata filter compares only the alphabetically first MAX_METADATA_VALUES metadata keys of a document', async () => {
      const entries = Array.from(
        { length: MAX_METADATA_VALUES + 1 },
        (_, at) => [`k${String(1_000 + at)}`, at] as const,
      );
      const document = await writeAll([Object.fromEntries(entries)]);
      const last = `k${String(1_000 + MAX_METADATA_VALUES)}`;
      const lastFound = `k${String(999 + MAX_METADATA_VALUES)}`;
      expect(await findNames(document, { metadata: { type: 'gte', key: lastFound, value: 0 } })).toEqual(['0']);
      expect(await findNames(document, { metadata: { type: 'gte', key: last, value: 0 } })).toEqual([]);
    });
  });
}
