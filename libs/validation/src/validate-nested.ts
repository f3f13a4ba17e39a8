import { IsObject, ValidateNested as ValidateEach } from 'class-validator';

/**
 * Validates a nested object by the class that `Type` declares. With `each`, validates each object of a list. Without
 * `each`, rejects a list and a missing value, although class-validator's own decorator accepts both.
 */
export function ValidateNested(options: { readonly each?: boolean } = {}): PropertyDecorator {
  return (target, property) => {
    ValidateEach({ each: options.each === true })(target, property);
    if (options.each !== true) IsObject()(target, property);
  };
}
