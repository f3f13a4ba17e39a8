import type { Shape, UnknownFields } from '@quarry/validation';
import { parse } from '@quarry/validation';
import type { DatastoreRow } from '../database/tables/datastores.js';
import type { Gateway } from '../gateway.js';
import type { Limits } from '../limits.js';
import type { StoredFile } from '../uploads/store-uploaded-file.js';

/** Declares how the JSON body of an operation is validated and parsed. */
export interface JsonBody<Value> {
  /** The classes that validate the body. If there are several, the field `type` of the body selects one. */
  readonly shapes: readonly [Shape<object>, ...Shape<object>[]];
  readonly unknownFields: UnknownFields;
  /** The name of the setting that limits the size of the body. */
  readonly maxBytes: keyof Limits;
  /** Parses a JSON body. @throws ValidationError or Problem with the invalid fields */
  readonly parse: (value: unknown, gateway: Gateway) => Value;
}

/** Declares a `multipart/form-data` body with a file, which is streamed to the blob store. */
export interface FormBody<Value> {
  /** The class that validates the fields other than `file`. */
  readonly shape: Shape<object>;
  readonly fileTypes: readonly string[];
  /** The name of the field with the file. Default: `file`. */
  readonly fileField?: string;
  /** True if fields can have names such as `expires_after[seconds]`, which are parsed to an object. */
  readonly hasNestedFields?: true;
  /** Returns the id of the datastore for the file. Undefined: the form contains the id after the file. */
  readonly findDatastoreId: (form: PartialForm) => string | undefined;
  /** Parses a received form to the body of the operation. @throws ValidationError with the invalid fields */
  readonly parse: (form: ReceivedForm<unknown>) => Value;
}

/** Contains the parts of a form that have arrived before its file. */
export interface PartialForm {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The parameters of the path, keyed by name. */
  readonly params: Readonly<Record<string, string>>;
}

/** Contains a parsed form, whose file is already stored in the blob store. */
export class ReceivedForm<Fields> {
  readonly fields: Fields;
  readonly file: StoredFile | undefined;
  /** The id for the datasource, if the upload creates one. */
  readonly newId: string;
  /**
   * The datastore as it was when the file began to arrive. Undefined if the form contains the id of the datastore after
   * the file.
   */
  readonly datastore: DatastoreRow | undefined;

  constructor({ fields, file, newId, datastore }: Omit<ReceivedForm<Fields>, never>) {
    this.fields = fields;
    this.file = file;
    this.newId = newId;
    this.datastore = datastore;
  }
}

interface JsonOptions<Value> {
  readonly unknownFields: UnknownFields;
  /** Checks rules that decorators of the class cannot express. @param raw the JSON value before parsing */
  readonly check?: (body: Value, gateway: Gateway, raw: unknown) => void;
  /** The name of the setting that limits the size of the body. Default: `bodyBytes`. */
  readonly maxBytes?: keyof Limits;
}

/** Declares a JSON body that a single class validates. */
export function describeJsonBody<Value extends object>(
  shape: Shape<Value>,
  { unknownFields, check, maxBytes = 'bodyBytes' }: JsonOptions<Value>,
): { readonly json: JsonBody<Value> } {
  return {
    json: {
      shapes: [shape],
      unknownFields,
      maxBytes,
      parse: (raw, gateway) => {
        const body = parse(shape, raw, unknownFields);
        check?.(body, gateway, raw);
        return body;
      },
    },
  };
}

/** Declares a `multipart/form-data` body with a file. */
export function describeFormBody<Fields extends object>(
  shape: Shape<Fields>,
  options: Pick<FormBody<Fields>, 'fileTypes' | 'findDatastoreId'>,
): { readonly form: FormBody<ReceivedForm<Fields>> } {
  const parseForm = ({ fields, ...received }: ReceivedForm<unknown>): ReceivedForm<Fields> =>
    new ReceivedForm({ ...received, fields: parse(shape, fields, 'ignore') });
  return { form: { ...options, shape, parse: parseForm } };
}
