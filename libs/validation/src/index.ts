export { parse } from './parse.js';
export { parseTimestamp } from './parse-timestamp.js';
export type { Shape, UnknownFields } from './shape.js';
export { ValidationError, type FieldIssue } from './validation-error.js';
export { countCharacters, MaxLength } from './max-length.js';
export { ValidateNested } from './validate-nested.js';
export { ValidateWith, type FindViolations, type Violation } from './validate-with.js';
export { BooleanFromText, IntegerFromText, NumberFromText } from './text-fields.js';
export { AliasOf, Describe, OrNull } from './describe.js';
export { listFieldNames } from './list-field-names.js';
export { createJsonSchema, type ObjectSchema, type SchemaOptions } from './json-schema.js';
export { type JsonSchema } from './json-schema-type.js';
export { Type } from './nested-type.js';
export { Transform } from './transform.js';
export { compileShapeCheck } from './compile-shape-check.js';
export {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Equals,
  IsArray,
  IsBoolean,
  IsHexadecimal,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  IsUUID,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
