import { array, boolean, type Decoder, type Fields, nullable, object, string } from './decode.js';

/**
 * Reference, section 2.3. Which fields are always present is not shown, so each may be absent. Fields that the
 * reference does not name are kept on the objects as they came (see `unknownFields`).
 */
export interface DeploymentAuthorization {
  readonly accounts: readonly Account[];
  readonly requirements: readonly Requirement[];
}

export interface Account {
  readonly id?: string;
  readonly label?: string;
  readonly serviceId?: string;
  readonly serviceSub?: string;
  readonly connectionMethodId?: string;
  /** Scopes held by the account; absent means unknown, not none. */
  readonly scopes?: readonly string[];
  /** date-time as the service sent it. */
  readonly checkedAt?: string;
  /** A problem with the account; even an empty object is one, `null` is none. */
  readonly error?: AccountError | null;
}

export interface AccountError {
  readonly code?: string;
  readonly message?: string;
}

export interface Requirement {
  readonly serviceId?: string;
  readonly accountId?: string;
  readonly binding?: string;
  readonly satisfied?: boolean;
  readonly eligibleAccountIds?: readonly string[];
  readonly connections?: readonly Connection[];
}

export interface Connection {
  readonly connectionMethodId?: string;
  readonly minimalScopes?: readonly string[];
  readonly requiredScopes?: readonly string[];
}

export const accountErrorFields: Fields<AccountError> = { code: string, message: string };

export const accountFields: Fields<Account> = {
  id: string,
  label: string,
  serviceId: string,
  serviceSub: string,
  connectionMethodId: string,
  scopes: array(string),
  checkedAt: string,
  error: nullable(object(accountErrorFields)),
};

export const connectionFields: Fields<Connection> = {
  connectionMethodId: string,
  minimalScopes: array(string),
  requiredScopes: array(string),
};

export const requirementFields: Fields<Requirement> = {
  serviceId: string,
  accountId: string,
  binding: string,
  satisfied: boolean,
  eligibleAccountIds: array(string),
  connections: array(object(connectionFields)),
};

export const deploymentAuthorizationFields: Fields<DeploymentAuthorization> = {
  accounts: array(object(accountFields)),
  requirements: array(object(requirementFields)),
};

const decodeFields = object(deploymentAuthorizationFields, ['accounts', 'requirements']);

/** Reference, 2.3. One array without the other is usable; with neither the answer is something else. */
export const decodeDeploymentAuthorization: Decoder<DeploymentAuthorization> = (value, problems) => {
  const decoded: Partial<DeploymentAuthorization> | undefined = decodeFields(value, problems);
  if (!decoded || (!decoded.accounts && !decoded.requirements)) return undefined;
  return hasBoth(decoded)
    ? decoded
    : { ...decoded, accounts: decoded.accounts ?? [], requirements: decoded.requirements ?? [] };
};

function hasBoth(decoded: Partial<DeploymentAuthorization>): decoded is DeploymentAuthorization {
  return decoded.accounts !== undefined && decoded.requirements !== undefined;
}

export const authorizationTemplate = '/deployments/{deploymentId}/authorization';
