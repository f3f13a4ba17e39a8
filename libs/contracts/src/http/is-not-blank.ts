import { Matches } from '@quarry/validation';

/** Declares that a text contains more than white space. */
export function IsNotBlank(): PropertyDecorator {
  return Matches(/\S/, { message: 'must contain characters other than white space' });
}
