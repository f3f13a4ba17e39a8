import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AttemptFailed } from '@quarry/contracts';
import type { PageImage, QuarterTurns } from '@quarry/document-readers';
import { hasProseColumns, mayHaveTable, measureRecognizedText } from './layout.js';
import { guessQuarterTurns, isTurnedPageBetter, turnImage } from './orientation.js';
import { parseTsv, type ParsedTsv } from './parse-tsv.js';
import { formatGraymap, PageNotRecognized, type Recognizer } from './recognizer.js';

export interface TesseractSettings {
  /** Path of the Tesseract program. */
  readonly program: string;
  /** Folder of Tesseract's language data. Undefined: the default folder of the program. */
  readonly dataFolder: string | undefined;
  /** Names of Tesseract's language data, such as `eng`. */
  readonly languages: readonly string[];
  /** Time limit in milliseconds per start of the program, which is started at most three times per page. */
  readonly timeoutMs: number;
}

/** Mode of page segmentation (`--psm`) that detects columns and blocks. */
const AUTOMATIC = '3';
/** Mode of page segmentation (`--psm`) that reads a page as one block. */
const SINGLE_BLOCK = '6';
/**
 * Minimum number of uncertain words for which a page without certain words counts as unreadable. Fewer words are
 * assumed to be specks.
 */
const MIN_UNCERTAIN_WORDS = 5;
/** Holds the words of an image after it was turned upright. */
interface Upright extends ParsedTsv {
  readonly turns: QuarterTurns;
}

/** Maximum size of Tesseract's output for a page, in bytes. For a page full of text, the output has about 200 kB. */
const MAX_OUTPUT_BYTES = 20_000_000;

/**
 * Creates a recognizer that starts Tesseract for each page, on one core. The process is killed when the signal aborts
 * or the time limit expires.
 *
 * Automatic segmentation separates columns of prose, but loses cells of tables and the page numbers of a table of
 * contents. So a page that may have a table and has no columns of prose is also recognized as a single block. The
 * result with more text is returned. A page that seems to be sideways or upside down is turned.
 */
export function createTesseract({ program, dataFolder, languages, timeoutMs }: TesseractSettings): Recognizer {
  const environment = {
    OMP_THREAD_LIMIT: '1',
    ...(dataFolder === undefined ? {} : { TESSDATA_PREFIX: dataFolder }),
  };
  const runTesseract = async (image: PageImage, segmentation: string, signal: AbortSignal): Promise<ParsedTsv> => {
    const options = {
      ...{ signal, env: environment, maxBuffer: MAX_OUTPUT_BYTES, timeout: timeoutMs },
      ...({ encoding: 'utf8', killSignal: 'SIGKILL' } as const),
    };
    const dpi = String(image.dpi);
    const running = promisify(execFile)(
      program,
      ['stdin', 'stdout', '-l', languages.join('+'), '--dpi', dpi, '--psm', segmentation, 'tsv'],
      options,
    );
    // A process that ends before it has read its input closes the pipe. The exit of the process is reported separately.
    running.child.stdin?.on('error', () => undefined);
    running.child.stdin?.end(formatGraymap(image));
    return parseTsv((await running).stdout);
  };
  const recognizeUpright = async (image: PageImage, signal: AbortSignal): Promise<Upright> => {
    const parsed = await runTesseract(image, AUTOMATIC, signal);
    const turns = guessQuarterTurns(parsed.words);
    if (turns === 0) return { ...parsed, turns };
    const turned = await runTesseract(turnImage(image, turns), AUTOMATIC, signal);
    return isTurnedPageBetter(turned.words, parsed.words) ? { ...turned, turns } : { ...parsed, turns: 0 };
  };
  const recognizeRows = async (image: PageImage, found: Upright, signal: AbortSignal): Promise<Upright> => {
    if (!mayHaveTable(found.words) || hasProseColumns(found.words)) return found;
    const rows = await runTesseract(turnImage(image, found.turns), SINGLE_BLOCK, signal);
    return measureRecognizedText(rows.words) > measureRecognizedText(found.words) ? { ...found, ...rows } : found;
  };
  return {
    recognize: async (image, signal) => {
      signal.throwIfAborted();
      try {
        const { words, turns, uncertain } = await recognizeRows(image, await recognizeUpright(image, signal), signal);
        if (words.length > 0 || uncertain < MIN_UNCERTAIN_WORDS) return { words, turns };
        throw new PageNotRecognized(`its ${uncertain} words have too low a confidence`);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof PageNotRecognized) throw error;
        throw toRecognitionError(error, timeoutMs);
      }
    },
  };
}

/**
 * Signals of a terminal, of a shutdown, and of the kernel if memory is low. They do not show that the page cannot be
 * recognized, unlike the signals of a crash.
 */
const EXTERNAL_SIGNALS: readonly unknown[] = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGKILL'];

function toRecognitionError(cause: unknown, timeoutMs: number): Error {
  const [code, signal] = [readField(cause, 'code'), readField(cause, 'signal')];
  const isKilledHere = readField(cause, 'killed') === true;
  // `code` is the name of a system error if the program cannot be started, and the exit code if the program failed.
  if (typeof code === 'string' && code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return new AttemptFailed('ocr_unavailable', 'Text recognition could not be started.', { cause });
  }
  if (!isKilledHere && EXTERNAL_SIGNALS.includes(signal)) {
    return new AttemptFailed('ocr_unavailable', `Text recognition was ended by ${String(signal)}.`, { cause });
  }
  const limit = `Tesseract took longer than ${timeoutMs / 1_000} seconds`;
  return new PageNotRecognized(isKilledHere && code === null ? limit : 'Tesseract failed', { cause });
}

/** Returns a field that `execFile` adds to its errors. */
function readField(error: unknown, name: 'code' | 'killed' | 'signal'): unknown {
  return error instanceof Error ? Reflect.get(error, name) : undefined;
}
