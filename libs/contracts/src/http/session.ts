import {
  Describe,
  IsISO8601,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { MeResponse } from './me.js';

@Describe('The credentials of a sign-in: exactly one of `apiKey` and `code`.')
export class StartSessionRequest {
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(1_000)
  readonly apiKey?: string | null;

  @Describe('A one-time code, from the link that Quarry prints or from `POST /session/codes`.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(1_000)
  readonly code?: string | null;
}

@Describe('The times of a session.')
export class SessionTimes {
  @IsISO8601()
  readonly createdAt: string;

  @IsISO8601()
  @Describe('Time at which the session ends even if it is in use.')
  readonly expiresAt: string;

  @IsISO8601()
  @Describe('Time at which the session ends if no other request is made, accurate to the minute.')
  readonly idleExpiresAt: string;
}

@Describe('The current session, with the API key whose permissions it has and the organization of the key.')
export class SessionResponse extends MeResponse {
  @OrNull()
  @ValidateNested()
  @Type(() => SessionTimes)
  @Describe('Null if the request has an API key instead of a session.')
  readonly session: SessionTimes | null;
}

@Describe('A code with which a browser signs in once.')
export class SignInCodeResponse {
  @IsString()
  readonly code: string;

  @IsString()
  @Describe(
    'Path of the sign-in page with the code, to append to the address of the console, such as `/signin#code=…`.',
  )
  readonly path: string;

  @IsISO8601()
  readonly expiresAt: string;
}
