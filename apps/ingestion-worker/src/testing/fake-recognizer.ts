import type { PageImage, RecognizedImage, RecognizedWord } from '@quarry/document-readers';
import type { Recognizer } from '../recognition/recognizer.js';

/**
 * The result of the recognition of a page: its text on one line, or an error. `endless`: the recognition ends only when
 * it is aborted.
 */
export type FakeResult = { readonly text: string; readonly confidence?: number } | Error | 'endless';

/** Simulates a recognizer. It returns the given results in their order, one per call, and then pages without text. */
export class FakeRecognizer implements Recognizer {
  /** The page images that the recognizer has received, oldest first. */
  readonly images: PageImage[] = [];
  /** Number of pages that are being recognized. */
  active = 0;
  readonly #results: FakeResult[];

  constructor(results: readonly FakeResult[]) {
    this.#results = [...results];
  }

  async recognize(image: PageImage, signal: AbortSignal): Promise<RecognizedImage> {
    signal.throwIfAborted();
    this.images.push(image);
    const result = this.#results.shift() ?? { text: '' };
    this.active += 1;
    try {
      if (result === 'endless') return await waitForAbort(signal);
      await new Promise(setImmediate);
      if (result instanceof Error) throw result;
      return { words: createWords(result.text, result.confidence ?? 95) };
    } finally {
      this.active -= 1;
    }
  }
}

function waitForAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    });
  });
}

const CHARACTER_WIDTH = 16;

/** Creates the words of a text, placed next to each other on one line of a page. */
function createWords(text: string, confidence: number): readonly RecognizedWord[] {
  let left = 200;
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const width = word.length * CHARACTER_WIDTH;
      const found = { text: word, confidence, left, top: 200, width, height: 28, line: 1 };
      left += width + CHARACTER_WIDTH;
      return found;
    });
}
