import { isDeepStrictEqual } from 'node:util';
import { listFieldNames, parse, type Shape } from '@quarry/validation';
import type { Gateway } from '../../../gateway.js';
import { type FormBody, type JsonBody, ReceivedForm } from '../../../http/request-body.js';
import type { Limits } from '../../../limits.js';
import { openAiProblem } from './error-body.js';

/**
 * Lists unsupported parameters of OpenAI's API, with the values that are accepted because these values have no effect.
 * Clients often send these values. Null is always accepted. `any` accepts every value, because the parameter never
 * changes a result.
 */
export type InertParameters = Readonly<Record<string, readonly unknown[] | 'any'>>;

interface BodyOptions<Value> {
  readonly inert: InertParameters;
  /** Checks rules that decorators of the class cannot express. @throws Problem 400 */
  readonly check?: (body: Value, gateway: Gateway) => void;
  readonly maxBytes?: keyof Limits;
}

/**
 * Declares a JSON body of an operation. A parameter is refused if it is unknown, or if it is unsupported and would
 * change the result. The problem names that parameter.
 */
export function describeOpenAiBody<Value extends object>(
  shape: Shape<Value>,
  { inert, check, maxBytes = 'bodyBytes' }: BodyOptions<Value>,
): { readonly json: JsonBody<Value> } {
  return {
    json: {
      shapes: [shape],
      unknownFields: 'refuse',
      maxBytes,
      parse: (raw, gateway) => {
        const body = parse(shape, removeInertParameters(shape, inert, raw), 'refuse');
        check?.(body, gateway);
        return body;
      },
    },
  };
}

/** Declares a form whose file is not uploaded to a datastore. The refusal of an unknown field contains its name. */
export function describeOpenAiForm<Fields extends object>(
  shape: Shape<Fields>,
  options: Pick<FormBody<Fields>, 'fileTypes' | 'fileField'>,
): { readonly form: FormBody<ReceivedForm<Fields>> } {
  return {
    form: {
      ...options,
      shape,
      hasNestedFields: true,
      findDatastoreId: () => undefined,
      parse: ({ fields, ...received }) => new ReceivedForm({ ...received, fields: parseFormFields(shape, fields) }),
    },
  };
}

/**
 * Parses the fields of a form. If the shape declares no fields, because the form contains only a file, returns an empty
 * object.
 */
function parseFormFields<Fields extends object>(shape: Shape<Fields>, fields: unknown): Fields {
  const known = removeInertParameters(shape, {}, fields);
  return listFieldNames(shape).length === 0 ? new shape() : parse(shape, known, 'refuse');
}

/**
 * Removes parameters that are null, and unsupported parameters that have no effect.
 *
 * @throws Problem 400 for other unsupported parameters
 */
function removeInertParameters(shape: Shape<object>, inert: InertParameters, raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const supported = new Set<string>(listFieldNames(shape));
  const entries = Object.entries(raw).filter(([name, value]) => {
    if (supported.has(name)) return value !== null;
    requireInertParameter(inert, name, value);
    return false;
  });
  return Object.fromEntries(entries);
}

/** Refuses an unsupported parameter, unless its value has no effect. @throws Problem 400 that names the parameter */
function requireInertParameter(inert: InertParameters, name: string, value: unknown): void {
  if (!Object.hasOwn(inert, name)) {
    const message = 'is not a parameter of this operation';
    throw openAiProblem('unknown_parameter', `${name} ${message}. Remove it.`, { errors: [{ path: name, message }] });
  }
  const values = inert[name] ?? [];
  if (values === 'any' || value === null || values.some((one) => isDeepStrictEqual(one, value))) return;
  const message = `is not supported${values.length === 0 ? '' : `, except as ${JSON.stringify(values[0])}`}`;
  throw openAiProblem('unsupported_parameter', `${name} ${message}. Remove it.`, { errors: [{ path: name, message }] });
}
