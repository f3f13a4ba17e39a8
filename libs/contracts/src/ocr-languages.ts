import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsString, Matches } from '@quarry/validation';

/** Maximum number of languages of a datastore, because each language makes recognition slower. */
const MAX_LANGUAGES = 8;
/** Matches a name of Tesseract's language data, such as `eng`, `chi_sim` or `script/Latin`. */
const LANGUAGE = /^\w{1,40}(\/\w{1,40})?$/;

/** Validates the languages in which scanned documents of a datastore are recognized (OCR). */
export function IsOcrLanguages(): PropertyDecorator {
  const decorators = [
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(MAX_LANGUAGES),
    ArrayUnique(),
    IsString({ each: true }),
    Matches(LANGUAGE, { each: true, message: 'must be names of languages, such as eng or chi_sim' }),
  ];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}
