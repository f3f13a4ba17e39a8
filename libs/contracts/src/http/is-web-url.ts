import { IsUrl } from '@quarry/validation';

/** Declares that a field is the URL of a resource on the web, such as a page or a listing. */
export function IsWebUrl(): PropertyDecorator {
  return IsUrl(
    { protocols: ['http', 'https'], require_protocol: true, require_tld: false },
    { message: 'must be a complete http or https URL' },
  );
}
