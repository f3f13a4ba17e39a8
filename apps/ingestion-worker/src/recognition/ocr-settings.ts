import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { GiveUp } from '@quarry/contracts';
import { ConfigurationError, parseEnvironment } from '@quarry/service-kit';
import { IntegerFromText, IsIn, IsOptional, IsUrl, Matches } from '@quarry/validation';
import { createOcrService, type OcrServiceSettings } from './ocr-service.js';
import type { Recognizer } from './recognizer.js';
import { createTesseract, type TesseractSettings } from './tesseract.js';

/** Holds the settings of text recognition. */
export interface OcrSettings {
  /** Maximum number of pages that are recognized at once. */
  readonly concurrency: number;
  readonly engine: TesseractEngine | ({ readonly kind: 'service' } & OcrServiceSettings);
}

interface TesseractEngine extends TesseractSettings {
  readonly kind: 'tesseract';
  /** Names of the language data of Tesseract that are installed on this machine. */
  readonly installed: readonly string[];
}

/** Declares the environment variables of text recognition with their defaults. */
class OcrEnvironment {
  /** Name of the program that recognizes text in images of pages. It must be on the PATH. */
  @IsOptional()
  @IsIn(['tesseract'])
  readonly QUARRY_OCR?: 'tesseract';

  /**
   * Address of an HTTP service that recognizes text. It is an alternative to `QUARRY_OCR`; only one of them may be set.
   */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_OCR_URL?: string;

  /** Languages of scanned documents, as names of Tesseract's language data, separated by commas. */
  @Matches(/^\w+(\/\w+)*(,\w+(\/\w+)*)*$/, {
    message: 'must be language names with commas between them, such as eng,deu',
  })
  readonly QUARRY_OCR_LANGUAGES: string = 'eng';

  /** Maximum number of pages that are recognized at once. */
  @IntegerFromText({ min: 1, max: 64 })
  readonly QUARRY_OCR_CONCURRENCY: number = 1;

  /** Time limit for recognizing one page, in seconds. */
  @IntegerFromText({ min: 1, max: 3_600 })
  readonly QUARRY_OCR_TIMEOUT_SECONDS: number = 120;
}

/**
 * Reads the settings of text recognition, and checks that the program and its language data are installed.
 *
 * @returns undefined if no engine is configured
 * @throws ConfigurationError with all problems at once
 */
export function readOcrSettings(environment: NodeJS.ProcessEnv): OcrSettings | undefined {
  const { QUARRY_OCR, QUARRY_OCR_URL, ...variables } = parseEnvironment(OcrEnvironment, environment);
  if (QUARRY_OCR !== undefined && QUARRY_OCR_URL !== undefined) {
    throw new ConfigurationError(['QUARRY_OCR and QUARRY_OCR_URL must not both be set: choose one of them']);
  }
  const languages = variables.QUARRY_OCR_LANGUAGES.split(',');
  const limits = { languages, timeoutMs: variables.QUARRY_OCR_TIMEOUT_SECONDS * 1_000 };
  const concurrency = variables.QUARRY_OCR_CONCURRENCY;
  if (QUARRY_OCR_URL !== undefined) return { concurrency, engine: { kind: 'service', url: QUARRY_OCR_URL, ...limits } };
  if (QUARRY_OCR === undefined) return undefined;
  return { concurrency, engine: { kind: 'tesseract', ...findTesseract(environment, languages), ...limits } };
}

/**
 * Creates the recognizer of the configured engine.
 *
 * @param languages languages of the pages. They are checked here only for Tesseract, because an OCR service checks them
 *   itself.
 * @throws GiveUp with `ocr_language_missing` if Tesseract has no data of a language
 */
export function createRecognizer({ engine }: OcrSettings, languages = engine.languages): Recognizer {
  if (engine.kind === 'service') return createOcrService({ ...engine, languages });
  const missing = findMissingLanguages(languages, engine.installed);
  if (missing.length > 0) {
    throw new GiveUp(
      'ocr_language_missing',
      `Expected language data for ${missing.join(', ')}, found ${formatLanguageNames(engine.installed)}. Install the data of Tesseract on the ingestion workers, or change ocrLanguages of the datastore.`,
    );
  }
  return createTesseract({ ...engine, languages });
}

const LISTING_TIMEOUT_MS = 10_000;

function findTesseract(
  environment: NodeJS.ProcessEnv,
  languages: readonly string[],
): Pick<TesseractEngine, 'program' | 'dataFolder' | 'installed'> {
  const program = (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'tesseract'))
    .find(isExecutable);
  if (program === undefined) {
    throw new ConfigurationError([
      'QUARRY_OCR is tesseract, but the program is not on the PATH: install the package tesseract-ocr',
    ]);
  }
  const dataFolder = environment['TESSDATA_PREFIX'] === '' ? undefined : environment['TESSDATA_PREFIX'];
  const installed = listInstalledLanguages(program, dataFolder);
  const missing = findMissingLanguages(languages, installed);
  if (missing.length > 0) {
    throw new ConfigurationError([
      `QUARRY_OCR_LANGUAGES names languages without data for Tesseract: ${missing.join(', ')}. Found ${formatLanguageNames(installed)}. Install packages such as tesseract-ocr-deu`,
    ]);
  }
  return { program, dataFolder, installed };
}

function findMissingLanguages(languages: readonly string[], installed: readonly string[]): readonly string[] {
  return languages.filter((language) => !installed.includes(language));
}

function formatLanguageNames(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

/** Returns the names that `tesseract --list-langs` prints below its title. */
function listInstalledLanguages(program: string, dataFolder: string | undefined): readonly string[] {
  const env = dataFolder === undefined ? {} : { TESSDATA_PREFIX: dataFolder };
  const { stdout } = spawnSync(program, ['--list-langs'], { env, encoding: 'utf8', timeout: LISTING_TIMEOUT_MS });
  // `stdout` is null if the program could not be started, although its type excludes null.
  return ((stdout as string | null) ?? '')
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
