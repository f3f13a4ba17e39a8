import { Describe, Type, ValidateNested } from '@quarry/validation';
import { ApiKeyResponse } from './api-key.js';
import { OrganizationResponse } from './organization.js';

@Describe('Who asks: the key, and the organization it belongs to.')
export class MeResponse {
  @ValidateNested()
  @Type(() => OrganizationResponse)
  readonly organization: OrganizationResponse;

  @ValidateNested()
  @Type(() => ApiKeyResponse)
  readonly key: ApiKeyResponse;
}
