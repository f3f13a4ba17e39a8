import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AttemptFailed } from '@quarry/contracts';
import type { PageImage } from '@quarry/document-readers';
import { parseTsv } from './parse-tsv.js';
import { formatGraymap, PageNotRecognized, type Recognizer } from './recognizer.js';

export interface TesseractSettings {
  /** Path of the program. */
  readonly program: string;
  /** Folder of the language data. Undefined: the program's own folder. */
  readonly dataFolder: string | undefined;
  /** Names of Tesseract's language data, such as `eng`. */
  readonly languages: readonly string[];
  /** Time limit per page. */
  readonly timeoutMs: number;
}

/** Limits the output of a page. A dense page has about 200 kB. */
const MAX_OUTPUT_BYTES = 20_000_000;

/** Creates a recognizer that starts Tesseract for each page, on one core. A process is killed on abort and after the time limit. */
export function createTesseract({ program, dataFolder, languages, timeoutMs }: TesseractSettings): Recognizer {
  const environment = {
    OMP_THREAD_LIMIT: '1',
    ...(dataFolder === undefined ? {} : { TESSDATA_PREFIX: dataFolder }),
  };
  const run = async (image: PageImage, signal: AbortSignal): Promise<string> => {
    const options = {
      ...{ signal, env: environment, maxBuffer: MAX_OUTPUT_BYTES, timeout: timeoutMs },
      ...({ encoding: 'utf8', killSignal: 'SIGKILL' } as const),
    };
    const dpi = String(image.dpi);
    const running = promisify(execFile)(
      program,
      ['stdin', 'stdout', '-l', languages.join('+'), '--dpi', dpi, 'tsv'],
      options,
    );
    // A process that ends before it has read its input closes the pipe. Its exit is reported then.
    running.child.stdin?.on('error', () => undefined);
    running.child.stdin?.end(formatGraymap(image));
    return (await running).stdout;
  };
  return {
    recognize: async (image, signal) => {
      signal.throwIfAborted();
      try {
        return parseTsv(await run(image, signal));
      } catch (error) {
        signal.throwIfAborted();
        throw createError(error, timeoutMs);
      }
    },
  };
}

function createError(cause: unknown, timeoutMs: number): Error {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined;
  const isKilled = cause instanceof Error && Reflect.get(cause, 'killed') === true;
  // A program that cannot be started has the name of a system error; one that has failed has its exit code.
  if (typeof code === 'string' && code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return new AttemptFailed('ocr_unavailable', 'Text recognition could not be started.', { cause });
  }
  const limit = `it took longer than ${timeoutMs / 1_000} seconds`;
  return new PageNotRecognized(isKilled && code === null ? limit : 'Tesseract failed', { cause });
}
