import type { Shape, UnknownFields } from '@quarry/validation';
import { parse } from '@quarry/validation';
import type { Gateway } from '../gateway.js';
import type { Limits } from '../limits.js';
import type { StoredFile } from '../uploads/store-file.js';

/** Declares the JSON body of an operation. */
export interface JsonBody<Value> {
  /** The classes of the body. If there are several, the field `type` selects one. */
  readonly shapes: readonly [Shape<object>, ...Shape<object>[]];
  readonly unknownFields: UnknownFields;
  /** The name of the limit for its size. */
  readonly maxBytes: keyof Limits;
  /** @throws ValidationError, Problem */
  readonly parse: (value: unknown, gateway: Gateway) => Value;
}

/** Declares a `multipart/form-data` body with a file in its field `file`, which is streamed to the blob store. */
export interface FormBody<Value> {
  /** The class of the other fields. */
  readonly shape: Shape<object>;
  readonly fileTypes: readonly string[];
  /** Returns the datastore of the file when the file begins, or undefined if its field follows the file. */
  readonly findDatastoreId: (form: PartialForm) => string | undefined;
  /** @throws ValidationError */
  readonly parse: (form: ReceivedForm<unknown>) => Value;
}

/** The parts of a form that precede its file. */
export interface PartialForm {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The parameters of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
}

/** A parsed form whose file is stored in the blob store. */
export class ReceivedForm<Fields> {
  readonly fields: Fields;
  readonly file: StoredFile | undefined;
  /** The id of the datasource, if the upload creates one. */
  readonly newId: string;

  constructor({ fields, file, newId }: Pick<ReceivedForm<Fields>, 'fields' | 'file' | 'newId'>) {
    this.fields = fields;
    this.file = file;
    this.newId = newId;
  }
}

interface JsonOptions<Value> {
  readonly unknownFields: UnknownFields;
  /** Checks the rules that the class cannot express. @param raw the body before parsing */
  readonly check?: (body: Value, gateway: Gateway, raw: unknown) => void;
}

/** Declares a JSON body of one class. */
export function jsonBody<Value extends object>(
  shape: Shape<Value>,
  { unknownFields, check }: JsonOptions<Value>,
): { readonly json: JsonBody<Value> } {
  return {
    json: {
      shapes: [shape],
      unknownFields,
      maxBytes: 'bodyBytes',
      parse: (raw, gateway) => {
        const body = parse(shape, raw, unknownFields);
        check?.(body, gateway, raw);
        return body;
      },
    },
  };
}

/** Declares a form with a file. */
export function formBody<Fields extends object>(
  shape: Shape<Fields>,
  options: Pick<FormBody<Fields>, 'fileTypes' | 'findDatastoreId'>,
): { readonly form: FormBody<ReceivedForm<Fields>> } {
  const parseForm = ({ fields, file, newId }: ReceivedForm<unknown>): ReceivedForm<Fields> =>
    new ReceivedForm({ fields: parse(shape, fields, 'ignore'), file, newId });
  return { form: { ...options, shape, parse: parseForm } };
}
