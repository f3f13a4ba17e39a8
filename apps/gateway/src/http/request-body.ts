import type { Shape, UnknownFields } from '@quarry/validation';
import { parse } from '@quarry/validation';
import type { Gateway } from '../gateway.js';
import type { Limits } from '../limits.js';
import type { StoredFile } from '../uploads/store-file.js';

/** A JSON body. */
export interface JsonBody<Value> {
  /** Of several, the field `type` decides which. */
  readonly shapes: readonly [Shape<object>, ...Shape<object>[]];
  readonly unknownFields: UnknownFields;
  /** The limit of its size. */
  readonly maxBytes: keyof Limits;
  /** @throws ValidationError, Problem */
  readonly parse: (value: unknown, gateway: Gateway) => Value;
}

/** A `multipart/form-data` body with a file in its field `file`, whose bytes are streamed to the blob store. */
export interface FormBody<Value> {
  /** The fields beside the file. */
  readonly shape: Shape<object>;
  readonly fileTypes: readonly string[];
  /** Returns the datastore that the file goes to, when the file begins. Undefined: the form has not named it yet. */
  readonly datastoreIdSoFar: (form: FormSoFar) => string | undefined;
  /** @throws ValidationError */
  readonly parse: (form: ReceivedForm<unknown>) => Value;
}

/** What is known of a form when its file begins. */
export interface FormSoFar {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
}

/** A form whose file is in the blob store. */
export class ReceivedForm<Fields> {
  readonly fields: Fields;
  readonly file: StoredFile | undefined;
  /** The id of the datasource, if the file becomes a new one. */
  readonly newId: string;

  constructor({ fields, file, newId }: Pick<ReceivedForm<Fields>, 'fields' | 'file' | 'newId'>) {
    this.fields = fields;
    this.file = file;
    this.newId = newId;
  }
}

interface JsonOptions<Value> {
  readonly unknownFields: UnknownFields;
  /** Checks the rules that the class cannot express. @param raw the body as it was sent */
  readonly check?: (body: Value, gateway: Gateway, raw: unknown) => void;
}

/** Declares a JSON body of one class. */
export function json<Value extends object>(
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
export function form<Fields extends object>(
  shape: Shape<Fields>,
  options: Pick<FormBody<Fields>, 'fileTypes' | 'datastoreIdSoFar'>,
): { readonly form: FormBody<ReceivedForm<Fields>> } {
  const parseForm = ({ fields, file, newId }: ReceivedForm<unknown>): ReceivedForm<Fields> =>
    new ReceivedForm({ fields: parse(shape, fields, 'ignore'), file, newId });
  return { form: { ...options, shape, parse: parseForm } };
}
