import { describe, expect, it } from 'vitest';
import type { DocumentRef, FragmentStore } from '../../fragment-store.js';
import { listTexts, type Attempt, type OpenedFragmentStore } from '../opened-store.js';
import {
  SAMPLE_COLLECTION,
  createSampleDocument,
  createSampleVector,
  createSampleVersion,
  createScope,
} from '../sample-documents.js';

const REMOVED_UP_TO = 5;

/** Describes a change of one document. `content` is a word that all texts of the version contain. */
type Change =
  | { readonly kind: 'replace' | 'confirm'; readonly generation: number; readonly content: string }
  | { readonly kind: 'remove' };

const remove: Change = { kind: 'remove' };
const buildReplacement = (generation: number, content: string): Change => ({ kind: 'replace', generation, content });
const buildConfirmation = (generation: number, content: string): Change => ({ kind: 'confirm', generation, content });

/**
 * Lists scenarios. Each consists of the content that generation 1 stored before, or undefined if it stored none, and of
 * the changes that run concurrently afterwards.
 */
const SCENARIOS: readonly (readonly [before: string | undefined, ...changes: readonly Change[]])[] = [
  ['first', remove, buildReplacement(6, 'second')],
  ['first', remove, buildReplacement(5, 'second')],
  ['first', remove, buildReplacement(4, 'second')],
  [undefined, remove, buildReplacement(6, 'second')],
  [undefined, remove, buildReplacement(4, 'second')],
  ['first', remove, buildConfirmation(6, 'first')],
  ['first', remove, buildConfirmation(5, 'first')],
  ['first', remove, remove],
  ['first', buildReplacement(6, 'second'), buildConfirmation(7, 'first')],
  ['first', buildReplacement(6, 'second'), buildReplacement(6, 'second')],
  ['first', buildReplacement(6, 'second'), buildReplacement(7, 'third')],
  [undefined, buildReplacement(6, 'second'), buildConfirmation(7, 'second')],
  ['first', remove, buildReplacement(6, 'second'), buildConfirmation(7, 'second')],
  ['first', remove, buildReplacement(4, 'second'), buildConfirmation(6, 'first')],
];

/** Runs removals, replacements and confirmations of one document concurrently, in every order that the store allows. */
export function describeOverlapping(opened: () => OpenedFragmentStore): void {
  const getStore = (): FragmentStore => opened().store;

  const applyChange = async (on: FragmentStore, document: DocumentRef, change: Change): Promise<boolean> => {
    if (change.kind === 'remove') {
      await on.removeDocument(SAMPLE_COLLECTION, document, REMOVED_UP_TO);
      return true;
    }
    const version = createSampleVersion(document, createTexts(change.content), { generation: change.generation });
    if (change.kind === 'confirm') return on.confirmDocument(SAMPLE_COLLECTION, document, version);
    await on.replaceDocument(SAMPLE_COLLECTION, version);
    return true;
  };

  const expectStored = async (
    document: DocumentRef,
    content: string | undefined,
    generation: number,
  ): Promise<void> => {
    const texts = content === undefined ? [] : createTexts(content);
    const byWords = await getStore().searchLexical(SAMPLE_COLLECTION, createScope(document), { text: 'avocet' }, 100);
    const byVector = await getStore().searchDense(
      SAMPLE_COLLECTION,
      createScope(document),
      createSampleVector('x'),
      100,
    );
    expect(listTexts(byWords).sort()).toEqual(texts);
    expect(listTexts(byVector).sort()).toEqual(texts);
    const described = await getStore().readStoredDocument(SAMPLE_COLLECTION, document);
    const expected = { generation, fragments: texts.length, tokens: texts.length };
    expect(described).toEqual(content === undefined ? undefined : expect.objectContaining(expected));
  };

  const createConcurrentAttempt = async (before: string | undefined, changes: readonly Change[]): Promise<Attempt> => {
    const document = createSampleDocument();
    const initial = before === undefined ? [] : [buildReplacement(1, before)];
    for (const change of initial) await applyChange(getStore(), document, change);
    const succeeded: Change[] = [...initial];
    return {
      operations: changes.map((change) => async (on) => {
        if (await applyChange(on, document, change)) succeeded.push(change);
      }),
      check: async () => {
        const { content, generation } = determineExpectedContent(succeeded);
        await expectStored(document, content, generation);
        if (!changes.includes(remove)) return;
        // The removal runs a second time, as if the queue delivered its job twice.
        await applyChange(getStore(), document, remove);
        await expectStored(document, content, generation);
      },
    };
  };

  describe('concurrent changes of one document', () => {
    it.each(SCENARIOS.map((scenario) => [formatScenario(scenario), scenario] as const))(
      'concurrent changes of one document leave either the complete newest content or nothing: %s',
      async (_, [before, ...changes]) => {
        const runInterleaved =
          opened().runInterleaved ?? ((attempt: () => Promise<Attempt>) => checkEveryOrder(getStore, attempt));
        await runInterleaved(() => createConcurrentAttempt(before, changes));
      },
    );
  });
}

/**
 * Runs the operations in every order, once sequentially and once concurrently, each time in a new attempt. Then calls
 * `check` of the attempt.
 */
async function checkEveryOrder(store: () => FragmentStore, attempt: () => Promise<Attempt>): Promise<void> {
  const { operations } = await attempt();
  for (const order of listPermutations(operations.map((_, at) => at))) {
    const oneByOne = await attempt();
    for (const at of order) await oneByOne.operations[at]?.(store());
    await oneByOne.check();
    const together = await attempt();
    await Promise.all(order.map(async (at) => together.operations[at]?.(store())));
    await together.check();
  }
}

/**
 * Returns the content and the generation that the store must contain after the changes: those of the newest generation,
 * whatever the order of the changes. A removal also removes what its own generation wrote.
 */
function determineExpectedContent(succeeded: readonly Change[]): {
  readonly content: string | undefined;
  readonly generation: number;
} {
  const limit = succeeded.includes(remove) ? REMOVED_UP_TO : 0;
  const contents = succeeded.flatMap((change) => (change.kind === 'remove' ? [] : [change]));
  const [newest] = contents.filter(({ generation }) => generation > limit).sort((a, b) => b.generation - a.generation);
  return { content: newest?.content, generation: newest?.generation ?? 0 };
}

/**
 * Returns the sorted texts of a version. Values of `content` with different lengths yield different numbers of texts,
 * so that a part of one version never equals another version.
 */
function createTexts(content: string): string[] {
  return Array.from({ length: content.length }, (_, at) => `avocet ${content} ${String(at)}`);
}

function formatScenario([before, ...changes]: readonly [string | undefined, ...(readonly Change[])]): string {
  const names = changes.map((change) =>
    change.kind === 'remove'
      ? `remove up to ${String(REMOVED_UP_TO)}`
      : `${change.kind} ${String(change.generation)} ${change.content}`,
  );
  return `${before === undefined ? 'nothing' : `1 ${before}`} stored, ${names.join(', ')}`;
}

function listPermutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item) =>
    listPermutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
