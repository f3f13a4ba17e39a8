import { IsObject, ValidateNested as ValidateEach } from 'class-validator';

/**
 * Validates a nested object by its class, or every object of a list (`each`). It rejects a list or a missing value if
 * one object is expected; class-validator's own decorator accepts both.
 */
export function ValidateNested(options: { readonly each?: boolean } = {}): PropertyDecorator {
  return (target, property) => {
    ValidateEach({ each: options.each === true })(target, property);
    if (options.each !== true) IsObject()(target, property);
  };
}
