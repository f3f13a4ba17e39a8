import { AttemptFailed } from '@quarry/contracts';
import type { QuarterTurns, RecognizedImage, RecognizedWord } from '@quarry/document-readers';
import { readLimitedText } from '@quarry/http-responses';
import {
  IsArray,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  parse,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { formatGraymap, PageNotRecognized, type Recognizer } from './recognizer.js';

export interface OcrServiceSettings {
  readonly url: string;
  readonly languages: readonly string[];
  /** Time limit for recognizing one page, in milliseconds. */
  readonly timeoutMs: number;
}

class ServiceWord implements RecognizedWord {
  @IsString()
  @IsNotEmpty()
  readonly text: string;

  @IsNumber()
  @Min(0)
  @Max(100)
  readonly confidence: number;

  @IsNumber()
  readonly left: number;

  @IsNumber()
  readonly top: number;

  @IsNumber()
  @Min(0)
  readonly width: number;

  @IsNumber()
  @Min(0)
  readonly height: number;

  @IsInt()
  readonly line: number;
}

/** The response of an OCR service. Source: docs/operations.md. */
class ServiceResponse implements RecognizedImage {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ServiceWord)
  readonly words: readonly ServiceWord[];

  @IsOptional()
  @IsIn([0, 1, 2, 3])
  readonly turns?: QuarterTurns;
}

/** Maximum size of a response in bytes. A response contains the words of one page. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/**
 * HTTP status codes with which an OCR service refuses one image. Any other error code means that the service can
 * recognize no image at present.
 */
const REFUSED = new Set([400, 413, 422]);

/** Creates a recognizer that sends the image of each page to an HTTP service. */
export function createOcrService({ url, languages, timeoutMs }: OcrServiceSettings): Recognizer {
  return {
    recognize: async (image, signal) => {
      const address = new URL(url);
      address.searchParams.set('languages', languages.join(','));
      address.searchParams.set('dpi', String(image.dpi));
      const request = {
        method: 'POST',
        headers: { 'content-type': 'image/x-portable-graymap', accept: 'application/json' },
        body: new Uint8Array(formatGraymap(image)),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      };
      try {
        const response = await fetch(address, request);
        if (!response.ok) await response.body?.cancel();
        if (REFUSED.has(response.status))
          throw new PageNotRecognized(`the OCR service responded with status ${response.status}`);
        if (!response.ok) throw new Error(`the OCR service responded with status ${response.status}`);
        const body: unknown = JSON.parse(await readLimitedText(response.body, MAX_RESPONSE_BYTES));
        return parse(ServiceResponse, body, 'ignore');
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof PageNotRecognized) throw error;
        throw new AttemptFailed('ocr_unavailable', 'The OCR service did not respond, or its response is invalid.', {
          cause: error,
        });
      }
    },
  };
}
