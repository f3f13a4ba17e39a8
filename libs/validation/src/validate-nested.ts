import { IsObject, ValidateNested as ValidateEach } from 'class-validator';

/**
 * Checks a nested object by its own class, or every object of a list (`each`). A list where one object belongs is refused, and
 * so is nothing: class-validator's own decorator lets both pass.
 */
export function ValidateNested(options: { readonly each?: boolean } = {}): PropertyDecorator {
  return (target, property) => {
    ValidateEach({ each: options.each === true })(target, property);
    if (options.each !== true) IsObject()(target, property);
  };
}
