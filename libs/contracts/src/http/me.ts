import { Describe, Type, ValidateNested } from '@quarry/validation';
import { ApiKeyResponse } from './api-key.js';
import { OrganizationResponse } from './organization.js';

@Describe('The API key of the request and its organization.')
export class MeResponse {
  @ValidateNested()
  @Type(() => OrganizationResponse)
  readonly organization: OrganizationResponse;

  @ValidateNested()
  @Type(() => ApiKeyResponse)
  readonly key: ApiKeyResponse;
}
